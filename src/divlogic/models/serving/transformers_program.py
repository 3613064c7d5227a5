"""The program that serves a folder of `transformers` on 127.0.0.1 until its standard input ends.

It runs under whichever interpreter has ``torch`` and ``transformers``, imports nothing else of this package, and speaks
as much of OpenAI's chat completions as :mod:`divlogic.models.serving.program` does: messages, temperature, top_p,
max_tokens, seed, log-probabilities. One line on standard output, the address, says that it is ready.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class TooLongError(Exception):
    """The question and its answer do not fit into the context."""


class Chat:
    """A causal language model that answers one message at a time."""

    def __init__(self, folder: str, threads: int, context: int) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        # With another number of threads the same question gets other log-probabilities.
        torch.set_num_threads(threads)
        self._torch = torch
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        # Not every processor computes in half precision, and none of them alike.
        self._model: Any = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, dtype=torch.float32
        ).eval()
        positions = getattr(self._model.config, "max_position_embeddings", None)
        self._context = min(context, positions) if positions else context

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the chat completion of a request.

        Raises:
            TooLongError: it does not fit into the context.
        """
        torch, tokenizer = self._torch, self._tokenizer
        ids = self._prompt(request["messages"])
        most = int(request.get("max_tokens") or self._context - len(ids))
        if len(ids) + most > self._context or most < 1:
            raise TooLongError
        temperature = float(request.get("temperature", 1.0))
        sampling: dict[str, Any] = {"do_sample": temperature > 0}
        if temperature > 0:
            sampling |= {"temperature": temperature, "top_p": float(request.get("top_p", 1.0)), "top_k": 0}
            torch.manual_seed(int(request.get("seed", 0)))
        inputs = torch.tensor([ids])
        with torch.inference_mode():
            out = self._model.generate(
                inputs,
                attention_mask=torch.ones_like(inputs),
                max_new_tokens=most,
                pad_token_id=tokenizer.pad_token_id or tokenizer.eos_token_id or 0,
                return_dict_in_generate=True,
                output_logits=bool(request.get("logprobs")),
                **sampling,
            )
        said = out.sequences[0, len(ids) :].tolist()
        choice: dict[str, Any] = {
            "index": 0,
            "message": {"role": "assistant", "content": tokenizer.decode(said, skip_special_tokens=True)},
            "finish_reason": "length" if len(said) == most and said[-1] not in self._ends() else "stop",
        }
        if request.get("logprobs"):
            top = int(request.get("top_logprobs") or 1)
            steps = zip(said, out.logits, strict=False)
            choice["logprobs"] = {
                "content": [self._logprobs(token, logits[0], top) for token, logits in steps]
            }
        usage = {
            "prompt_tokens": len(ids),
            "completion_tokens": len(said),
            "total_tokens": len(ids) + len(said),
        }
        return {"model": request.get("model", ""), "choices": [choice], "usage": usage}

    def _prompt(self, messages: list[dict[str, str]]) -> list[int]:
        """Return the tokens of the messages: by the model's own template, or as plain text if it has none."""
        tokenizer = self._tokenizer
        if tokenizer.chat_template:
            text = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
            return list(tokenizer(text, add_special_tokens=False)["input_ids"])
        return list(tokenizer("\n\n".join(message["content"] for message in messages))["input_ids"])

    def _ends(self) -> set[int]:
        """Return the tokens that end an answer."""
        end = self._model.generation_config.eos_token_id
        return set(end) if isinstance(end, list) else {end}

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
                self._reply(400, {"error": {"code": 400, "message": f"{type(error).__name__}: {error}"}})

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


def main(weights: str, port: int, threads: int, context: int) -> None:
    """Serve ``weights``; ``port`` 0 takes a free one."""
    try:
        chat = Chat(weights, threads, context)
    except (OSError, ValueError, RuntimeError, KeyError, MemoryError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        print(f"0 E {type(error).__name__}: {first}", file=sys.stderr)
        sys.exit(1)
    except Exception as error:  # the readers of weights have exceptions of their own
        if type(error).__module__.partition(".")[0] not in ("safetensors", "safetensors_rust", "tokenizers"):
            raise
        print(f"0 E {type(error).__name__}: {str(error).splitlines()[0]}", file=sys.stderr)
        sys.exit(1)
    try:
        server = HTTPServer(("127.0.0.1", port), handler_of(chat))
    except OSError as error:
        print(f"0 E couldn't bind port {port}: {error}", file=sys.stderr)
        sys.exit(1)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
