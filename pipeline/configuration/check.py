"""Check that a composed configuration has the right shape."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import ConfigTypeError, OmegaConfBaseException, ValidationError

from pipeline.errors import ConfigError, did_you_mean
from pipeline.masking import MASK, key_with_mask
from pipeline.words import TYPES


def keys_under(kind: type[Any] | None) -> list[str]:
    """The allowed keys of a part of the configuration."""
    return list(getattr(kind, "__dataclass_fields__", {}))


def check(config: DictConfig) -> None:
    """Raise ConfigError for keys of a composed configuration that are unknown, deleted, masked or without a value.

    Hydra itself accepts `+foo=3`, `++tables.cuont=50` and `~tables` silently.
    """
    for path, node in _nodes(config, ""):
        known = keys_under(OmegaConf.get_type(node))
        for key in map(str, node):
            if key not in known:
                raise ConfigError(unknown_key(f"{path}{key}", path, OmegaConf.get_type(node)))
        for key in known:
            if key not in node.keys():  # noqa: SIM118 - a key without a value is not `in` its node
                raise ConfigError(f"key '{path}{key}' cannot be deleted: leave out ~{path}{key}")
    if (where := key_with_mask(OmegaConf.to_container(config))) is not None:
        raise ConfigError(
            f"key '{where}' is {MASK}, which stands for a secret that is not recorded: give the secret itself"
        )
    missing = sorted(OmegaConf.missing_keys(config))
    if missing:
        raise ConfigError(
            f"no value for {', '.join(missing)}: give the value on the command line, as in {missing[0]}=…, or in the "
            "YAML file"
        )


def unknown_key(key: str, path: str, kind: type[Any] | None) -> str:
    """The message about a key that a part of the configuration, of this class at this path, does not have."""
    known, own = keys_under(kind), key.rpartition(".")[2]
    below = [f"'{path}{name}.{own}'" for name in known if own in keys_under(get_type_hints(kind)[name])]
    hint = f", did you mean {' or '.join(below)}?" if below else did_you_mean(own, known, path)
    where = f"under {path.rstrip('.')}" if path else "at the top"
    if path == "cluster.":
        where += " of this choice (other choices of cluster have other keys)"
    return f"unknown key '{key}'{hint}\nkeys {where}: {', '.join(known)}"


def wrong_value(error: BaseException, key: str) -> str | None:
    """The message about a value of a wrong type or a deleted key, from OmegaConf's error; None for other errors."""
    if not isinstance(error, ConfigTypeError | ValidationError):
        return None
    kind = error.object_type
    keyed = is_dataclass(kind)
    if "does not support deletion" in str(error):
        return f"key '{key}' cannot be deleted: leave out ~{key}"
    if not keyed and kind != list:  # noqa: E721
        return None
    declared = get_type_hints(kind).get(key.rpartition(".")[2]) if keyed else _of_entry(error, key)
    if str(error).startswith("Unexpected type annotation"):
        return (
            f"{kind.__module__}: the field '{key}' has the type {getattr(declared, '__name__', declared)}: expected "
            "bool, int, float, str, a Literal, a tuple of these, or a type with a Key, as pipeline.grammar.keys has"
        )
    if isinstance(error, ConfigTypeError) or declared is None:  # the error is about the node itself
        return f"{key}: expected {_expected(key, kind)}"
    value = OmegaConf.to_container(error.value) if OmegaConf.is_config(error.value) else error.value
    types = get_args(declared) if get_origin(declared) in {Union, UnionType} else (declared,)
    expected = " or ".join("null" if type_ is NoneType else _expected(key, type_) for type_ in types)
    if isinstance(value, str) and (list[str] in types or list in types):
        expected = f"a list, written '{key}=[{value}]'"
    return f"{key} is {'null' if value is None else repr(value)}: expected {expected}"


def _of_entry(error: OmegaConfBaseException, key: str) -> Any:
    """The type of an entry of a list, if the error is about one."""
    entries = get_args(error.ref_type)
    return entries[0] if entries and key.endswith("]") else None


def misplaced(kind: Any, content: Mapping[str, Any], groups: Collection[str]) -> str | None:
    """The message about the first key of a YAML that must have keys below it and has none, or the reverse.

    OmegaConf's own error does not name the key.

    kind   : the configuration's class
    groups : the keys whose value is the name of a YAML
    """
    hints = get_type_hints(kind)
    for key, value in content.items():
        declared = hints.get(key)
        keyed = is_dataclass(declared) or (declared is Any and key in groups)
        if keyed and key in groups and isinstance(value, str):
            return f"{key} is {value!r}: choose this value in the list of `defaults`, by `- override /{key}: {value}`"
        if keyed and not isinstance(value, dict):
            return f"{key} is {value!r}: expected {_expected(key, declared)}"
        if declared and not keyed and isinstance(value, dict):
            return f"{key} is {value!r}: expected {_expected(key, list)}"
    return None


def _expected(key: str, kind: Any) -> str:
    if list in {kind, get_origin(kind)}:
        return f"a list, written '{key}=[…]'"
    if is_dataclass(kind):
        return f"keys with values, such as {key}.{keys_under(kind)[0]}=…"  # type: ignore[arg-type]
    return TYPES.get(kind, "keys with values")


def _nodes(node: DictConfig | ListConfig, path: str) -> Iterator[tuple[str, DictConfig]]:
    if not isinstance(node, DictConfig) or OmegaConf.get_type(node) is dict:
        return
    yield path, node
    for key in map(str, node):
        if not OmegaConf.is_missing(node, key) and OmegaConf.is_config(node[key]):
            yield from _nodes(node[key], f"{path}{key}.")
