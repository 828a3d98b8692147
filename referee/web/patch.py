"""Changes of JSON documents, as JSON merge patches (RFC 7396).

A patch can't set a member to null, it removes it: members without a value are therefore left out of
every document, see `plain`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


def plain(value: Any) -> Any:
    """The value as JSON has it: members that are None are left out, sequences are lists."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def shared(old: Any, new: Any) -> Any:
    """`new`, made of the parts of `old` that are equal: what does not change is kept once."""
    if isinstance(old, dict) and isinstance(new, dict):
        if old.keys() == new.keys() and _equal(old, new):
            return old
        return {key: shared(old.get(key), part) for key, part in new.items()}
    return old if type(old) is type(new) and _equal(old, new) else new


def difference(old: Json, new: Json) -> Json:
    """The merge patch that makes `new` of `old`; both are `plain`."""
    patch: Json = {key: None for key in old if key not in new}
    for key, part in new.items():
        before = old.get(key)
        if before is part:
            continue
        if isinstance(before, dict) and isinstance(part, dict):
            if inner := difference(before, part):
                patch[key] = inner
        elif key not in old or not _equal(before, part):
            patch[key] = part
    return patch


def merged(document: Any, patch: Any) -> Any:
    """The document with a patch, by the algorithm of RFC 7396; neither is changed."""
    if not isinstance(patch, dict):
        return patch
    result = dict(document) if isinstance(document, dict) else {}
    for key, part in patch.items():
        if part is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), part)
    return result


def _equal(one: Any, other: Any) -> bool:
    """Whether both are the same JSON: 1, 1.0 and true are not."""
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return False
    return bool(one == other)
