"""The program that serves a model by `transformers` on 127.0.0.1 until its standard input ends.

It runs under whichever interpreter has ``torch`` and ``transformers``, imports nothing else of this package, and speaks
as much of OpenAI's chat completions as :mod:`divlogic.models.serving.program` does: messages, temperature, top_p,
max_tokens, seed, log-probabilities. One line on standard output, the address, says that it is ready.

A prompt is read in parts, each by a pass of its own: paragraphs, and the options apart from what stands before them.
Parts that a prompt shares with the one before are not read again. Where the parts end depends on the prompt alone, so
that no answer depends on what was asked before.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

_PART = re.compile(r"\n\n|\n(?=A\. )")
"""Where a part of a prompt may end: after a paragraph, before the first option."""

_SHORTEST = 16
"""Tokens of a part at least; shorter ones are read with the next, as small products are slow."""


class TooLongError(Exception):
    """The question and its answer do not fit into the context."""


class Chat:
    """A causal language model that answers one message at a time."""

    def __init__(self, weights: str, threads: int, context: int, precision: str) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        # With another number of threads the same question gets other log-probabilities.
        torch.set_num_threads(threads)
        self._torch = torch
        path = Path(weights)
        where = str(path.parent if path.is_file() else path)
        file = {"gguf_file": path.name} if path.is_file() else {}
        self._tokenizer: Any = AutoTokenizer.from_pretrained(where, local_files_only=True, **file)
        # Not every processor computes in half precision, and none of them alike.
        self._model: Any = AutoModelForCausalLM.from_pretrained(
            where, local_files_only=True, dtype=torch.float32, **file
        ).eval()
        if precision == "bfloat16":
            _multiply_in_half(self._model)
        positions = getattr(self._model.config, "max_position_embeddings", None)
        self._context = min(context, positions) if positions else context
        self._read: list[int] = []
        self._ends_read: list[int] = []
        self._cache: Any = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the chat completion of a request."""
        torch, tokenizer = self._torch, self._tokenizer
        if request.get("cache_prompt") is False:
            self._ends_read = []
        ids, parts = self._prompt(request["messages"])
        most = int(request.get("max_tokens") or self._context - len(ids))
        if len(ids) + most > self._context or most < 1:
            raise TooLongError
        temperature = float(request.get("temperature", 1.0))
        sampling: dict[str, Any] = {"do_sample": temperature > 0}
        if temperature > 0:
            sampling |= {
                "temperature": temperature,
                "top_p": float(request.get("top_p", 1.0)),
                "top_k": 0,
            }
            torch.manual_seed(int(request.get("seed", 0)))
        inputs = torch.tensor([ids])
        with torch.inference_mode():
            out = self._model.generate(
                inputs,
                past_key_values=self._beginning(ids, parts),
                attention_mask=torch.ones_like(inputs),
                max_new_tokens=most,
                pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id or 0,
                return_dict_in_generate=True,
                output_logits=bool(request.get("logprobs")),
                **sampling,
            )
        said = out.sequences[0, len(ids) :].tolist()
        end = self._model.generation_config.eos_token_id
        ends = end if isinstance(end, list) else [end]
        choice: dict[str, Any] = {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": tokenizer.decode(said, skip_special_tokens=True),
            },
            "finish_reason": "length" if len(said) == most and said[-1] not in ends else "stop",
        }
        if request.get("logprobs"):
            top = int(request.get("top_logprobs") or 1)
            steps = zip(said, out.logits, strict=False)
            content = [self._logprobs(token, logits[0], top) for token, logits in steps]
            choice["logprobs"] = {"content": content}
        usage = {"prompt_tokens": len(ids), "completion_tokens": len(said)}
        usage["total_tokens"] = sum(usage.values())
        return {"model": request.get("model", ""), "choices": [choice], "usage": usage}

    def _prompt(self, messages: list[dict[str, str]]) -> tuple[list[int], list[int]]:
        """Return the tokens of the messages, and the numbers of tokens after which parts of them end.

        They are worded by the model's own template, or as plain text if it has none.
        """
        tokenizer = self._tokenizer
        if tokenizer.chat_template:
            text = tokenizer.apply_chat_template(
                messages, add_generation_prompt=True, tokenize=False
            )
        else:
            text = "\n\n".join(message["content"] for message in messages)
        read = tokenizer(
            text,
            add_special_tokens=not tokenizer.chat_template,
            return_offsets_mapping=tokenizer.is_fast,
        )
        starts = [start for start, _ in read.get("offset_mapping", ())]
        return list(read["input_ids"]), part_ends(text, starts)

    def _beginning(self, ids: list[int], ends: list[int]) -> Any:
        """Return the states of all parts but the last; those that were just read are kept.

        The cache that is returned also takes the states of the last part and of the answer.
        """
        from transformers import DynamicCache

        if getattr(self._model, "_is_stateful", False):
            return None
        shared = 0
        for end, read in zip(ends, self._ends_read, strict=False):
            if end != read or ids[shared:end] != self._read[shared:end]:
                break
            shared = end
        if self._cache is not None and shared:
            self._cache.crop(shared - self._cache.get_seq_length())
        else:
            self._cache = DynamicCache(config=self._model.config)
        if any(type(layer).__name__ != "DynamicLayer" for layer in self._cache.layers):
            # States that slide or are summed up cannot be cut off again: all is read at once.
            self._cache = None
            return None
        start = shared
        for end in (end for end in ends if end > shared):
            self._model.base_model(
                self._torch.tensor([ids[start:end]]), past_key_values=self._cache, use_cache=True
            )
            start = end
        self._read, self._ends_read = ids, ends
        return self._cache

    def _logprobs(self, token: int, logits: Any, top: int) -> dict[str, Any]:
        """Return one token of an answer with its most likely alternatives, as the protocol has it."""
        scores = self._torch.log_softmax(logits.double(), dim=-1)
        values, indices = scores.topk(min(top, len(scores)))
        rows = zip(values.tolist(), indices.tolist(), strict=True)
        return {
            **self._spelt(token, float(scores[token])),
            "top_logprobs": [self._spelt(index, value) for value, index in rows],
        }

    def _spelt(self, token: int, logprob: float) -> dict[str, Any]:
        return {"token": self._tokenizer.decode([token]), "logprob": logprob, "bytes": None}


def part_ends(text: str, starts: list[int]) -> list[int]:
    """Return after how many tokens the parts of a text end, the last part's end left out.

    ``starts`` says where each token starts in it; where that is not known it is empty, and there is one part.

    >>> part_ends("Reply with a letter.\\n\\nIt rains.\\nA. Yes\\nB. No", list(range(44)))
    [22]
    >>> part_ends("Reply with a letter.", [])
    []
    """
    ends: list[int] = []
    for found in _PART.finditer(text):
        end = next((at for at, start in enumerate(starts) if start >= found.end()), 0)
        if end - (ends[-1] if ends else 0) >= _SHORTEST and end < len(starts):
            ends.append(end)
    return ends


def _multiply_in_half(model: Any) -> None:
    """Let the layers multiply in bfloat16; states, attention and the choice of the next token stay as they are."""
    import torch

    def multiply(layer: Any, states: Any) -> Any:
        out = torch.nn.functional.linear(states.bfloat16(), layer.weight).to(states.dtype)
        return out if layer.bias is None else out + layer.bias

    last = model.get_output_embeddings()
    for layer in model.modules():
        if type(layer) is torch.nn.Linear and layer is not last:
            layer.weight = torch.nn.Parameter(layer.weight.detach().bfloat16(), requires_grad=False)
            layer.forward = partial(multiply, layer)


def handler_of(chat: Chat) -> type[BaseHTTPRequestHandler]:
    """Return what answers requests by a model."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                self._reply(200, chat.answer(request))
            except TooLongError:
                self._reply(400, {"error": {"code": 400, "type": "exceed_context_size_error"}})
            except (KeyError, TypeError, ValueError) as error:
                self._reply(
                    400, {"error": {"code": 400, "message": f"{type(error).__name__}: {error}"}}
                )

        def _reply(self, status: int, values: dict[str, Any]) -> None:
            body = json.dumps(values).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    return Handler


def main(weights: str, port: int, threads: int, context: int, precision: str) -> None:
    """Serve ``weights``; ``port`` 0 takes a free one."""
    try:
        chat = Chat(weights, threads, context, precision)
    except Exception as error:
        expected = isinstance(error, (OSError, ValueError, RuntimeError, KeyError, MemoryError))
        # The readers of weights have exceptions of their own.
        readers = ("safetensors", "safetensors_rust", "tokenizers")
        if not expected and type(error).__module__.partition(".")[0] not in readers:
            raise
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        sys.exit(f"0 E {type(error).__name__}: {first}")
    try:
        server = HTTPServer(("127.0.0.1", port), handler_of(chat))
    except OSError as error:
        sys.exit(f"0 E couldn't bind port {port}: {error}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    port, threads, context = map(int, sys.argv[2:5])
    main(sys.argv[1], port, threads, context, sys.argv[5])
