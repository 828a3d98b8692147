"""Merge patches: what RFC 7396 shows, and that a difference leads from one document to another."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.web.patch import difference, merged, plain, shared

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "ä"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(st.sampled_from("abcd"), VALUES).map(plain)

#: Original, patch and result: appendix A of RFC 7396.
APPENDIX: list[tuple[Any, Any, Any]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("original", "patch", "result"), APPENDIX)
def test_the_examples_of_the_standard(original: Any, patch: Any, result: Any) -> None:
    assert merged(original, patch) == result


@settings(deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_a_difference_leads_from_one_to_the_other(old: Any, new: Any) -> None:
    before, after = copy.deepcopy(old), copy.deepcopy(new)
    assert same(merged(old, difference(old, new)), new)
    assert (old, new) == (before, after)


@settings(deadline=None)
@given(DOCUMENTS)
def test_nothing_differs_from_itself(document: Any) -> None:
    assert difference(document, copy.deepcopy(document)) == {}


@settings(deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_what_is_shared_is_still_the_new_one(old: Any, new: Any) -> None:
    assert same(shared(old, new), new)
    assert shared(old, copy.deepcopy(old)) is old


def test_true_is_not_one() -> None:
    assert difference({"a": 1}, {"a": True}) == {"a": True}
    assert difference({"a": [0]}, {"a": [False]}) == {"a": [False]}


@settings(deadline=None)
@given(VALUES)
def test_no_member_is_without_a_value(value: Any) -> None:
    def members(value: Any) -> list[Any]:
        parts = list(value.values()) if isinstance(value, dict) else []
        inner = parts if parts else value if isinstance(value, list) else []
        return parts + [each for part in inner for each in members(part)]

    assert None not in members(plain(value))


def same(one: Any, other: Any) -> bool:
    """Whether both are the same JSON, for which 1 and true are two things."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)
