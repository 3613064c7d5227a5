"""The program that serves a GGUF file on 127.0.0.1 until its standard input ends.

It runs under whichever interpreter has ``xllamacpp`` and imports nothing else of this package. One line on standard
output, the address, says that it is ready. Standard input ends when the run that started it stops it or is killed, so
that no server outlives its run.
"""

from __future__ import annotations

import os
import sys


def main(weights: str, port: int, threads: int, context: int) -> None:
    """Serve ``weights``; ``port`` 0 takes a free one."""
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path = weights
    given.hostnames = ["127.0.0.1"]
    given.port = port
    given.n_ctx = context
    # One slot and a fixed number of threads: with others the same question gets other log-probabilities.
    given.n_parallel = 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = threads
    given.cache_prompt = True
    # A question reads the same whether all of it, its end or its last token alone is new to the server: with these
    # two the sums of attention do not depend on how many tokens are read at once: no answer depends on earlier ones.
    given.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    given.cache_type_k = given.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    given.cache_ram_mib = 0
    given.fit_params = False
    given.ui = False
    given.verbosity = 1
    try:
        server = xllamacpp.Server(given)
    except RuntimeError as error:
        sys.exit(f"{type(error).__name__}: {error}")
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()
    sys.stdout.flush()
    # The library's own ending waits for requests under way, for which no run waits any more.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
