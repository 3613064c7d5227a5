"""The reference page of the parameters."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from divlogic.config.keys import PHASE_KEYS
from divlogic.parameters import Parameters


def parameters_page() -> str:
    """Return docs/parameters.md: every parameter with its type, default and meaning."""
    top = {
        name: field
        for name, field in Parameters.model_fields.items()
        if not _sections(field.annotation)
    }
    parts = [_HEAD, _table(top, ""), "\n"]
    for name, field in Parameters.model_fields.items():
        value = getattr(Parameters(), name)
        parts.extend(_section(section, name, 2, value) for section in _sections(field.annotation))
    return "".join(parts)


def _section(
    section: type[BaseModel], name: str, level: int, value: BaseModel | None = None
) -> str:
    """Render one section and, below it, the sections inside."""
    own = {key: field for key, field in section.model_fields.items() if not _nested(field)}
    readers = [phase for phase, keys in PHASE_KEYS.items() if name in keys]
    lines = [
        f"{'#' * min(level, 4)} `{name}` {{ #{name.replace('.', '-').replace('[]', '')} }}\n\n"
    ]
    lines.append((section.__doc__ or "").strip().splitlines()[0] + "\n\n")
    if readers:
        pages = ", ".join(f"[{phase}](phases/{phase}.md)" for phase in readers)
        lines.append(f"Read by: {pages}.\n\n")
    if own:
        lines.append(_table(own, f"{name}.", value) + "\n")
    for key, field in section.model_fields.items():
        for inner in _sections(field.annotation):
            is_list = get_origin(field.annotation) is list
            child = None if is_list or value is None else getattr(value, key)
            lines.append(
                _section(inner, f"{name}.{key}{'[]' if is_list else ''}", level + 1, child)
            )
    return "".join(lines)


def _table(fields: dict[str, FieldInfo], prefix: str, value: BaseModel | None = None) -> str:
    """Render fields as a table; the default is what the enclosing section sets, else the field's own."""
    rows = ["| parameter | value | default | meaning |\n| --- | --- | --- | --- |\n"]
    for name, field in fields.items():
        if field.is_required():
            default = "*required*"
        else:
            default = _code(getattr(value, name) if value is not None else field.get_default())
        cells = [
            f"`{prefix}{name}`",
            _kind(field),
            default,
            (field.description or "").replace("|", "\\|"),
        ]
        rows.append("| " + " | ".join(cells) + " |\n")
    return "".join(rows)


def _kind(field: FieldInfo) -> str:
    text = _type(field.annotation)
    bounds = []
    for rule in field.metadata:
        for attribute, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<")):
            limit = getattr(rule, attribute, None)
            if limit is not None:
                bounds.append(f"{sign} {'2⁶³' if limit == 2**63 else limit}")
        least = getattr(rule, "min_length", None)
        if least is not None:
            bounds.append(f"at least {least}")
    return text + (f", {', '.join(bounds)}" if bounds else "")


def _type(annotation: Any) -> str:
    """Say in words what values an annotation allows."""
    if get_origin(annotation) is Annotated:
        return _type(get_args(annotation)[0])
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(f"`{part}`" for part in parts)
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(_type(part) for part in parts))
    if origin is list:
        return "list" if _is_section(parts[0]) else f"list of {_type(parts[0])}s"
    if origin is tuple:
        return " and ".join(_type(part) for part in parts)
    if origin is dict:
        return f"map from {_type(parts[0])} to {_type(parts[1])}"
    if _is_section(annotation):
        return "section"
    names = {
        int: "integer",
        float: "number",
        str: "text",
        bool: "true or false",
        NoneType: "`null`",
        Any: "any",
    }
    return names[annotation]


def _code(value: Any) -> str:
    """Write a default as YAML has it."""
    import yaml

    if isinstance(value, list) and value and isinstance(value[0], BaseModel):
        return ", ".join(f"`{entry.name}`" for entry in value)
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return ", ".join(f"`{entry}`" for entry in value)
    text: str = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False
    )
    return "`" + text.strip().removesuffix("...").strip().replace("|", "\\|") + "`"


def _nested(field: FieldInfo) -> bool:
    return bool(_sections(field.annotation)) and get_origin(field.annotation) is not list


def _sections(annotation: Any) -> list[type[BaseModel]]:
    """Return the section that a field holds, alone or as a list's entries."""
    if _is_section(annotation):
        return [annotation]
    return [part for part in get_args(annotation) if _is_section(part)]


def _is_section(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


_HEAD = """\
# Parameters

Everything that can be set, in `params.yaml`; both `snakemake` and `dvc` read it. This page is made from the model that
checks the file (`divlogic.config`), so it says what the code does. An unknown name or a value that is not allowed is
refused before anything runs, with the nearest known name:

```console
$ divlogic config check --full                       # check params.yaml and print it in full
$ divlogic config default --out params.yaml          # every parameter at its default, with its description
$ snakemake --cores 8 all --config seed=7            # change one for one run
$ dvc exp run -S seed=7                              # the same as an experiment that DVC remembers
```

`workflow/schemas/params.schema.json` lets an editor complete and check the file.

## Of the whole run

"""
