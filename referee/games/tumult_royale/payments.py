"""Which tiles may pay a cost (rules section 3.4)."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from referee.games.tumult_royale.sections import Rulings
from referee.games.tumult_royale.tiles import (
    KINDS,
    LABELS,
    MOST_SYMBOLS,
    Symbols,
    Tiles,
    symbols_of,
)


def excess(cost: Symbols, payment: Tiles) -> int:
    """Symbols paid too much; only for a payment that suffices."""
    return sum(symbols_of(payment)) - sum(cost)


def suffices(cost: Symbols, payment: Tiles) -> bool:
    """Whether the payment covers every commodity of the cost."""
    return all(paid >= due for paid, due in zip(symbols_of(payment), cost, strict=True))


def spare_tile(cost: Symbols, payment: Tiles) -> str | None:
    """The label of a tile that could be left out of a sufficient payment, if there is one."""
    over = [paid - due for paid, due in zip(symbols_of(payment), cost, strict=True)]
    for kind in range(KINDS):
        commodity, less_one = divmod(kind, MOST_SYMBOLS)
        if payment[kind] and less_one + 1 <= over[commodity]:
            return LABELS[kind]
    return None


@lru_cache(maxsize=4096)
def _shares(due: int, held: tuple[int, ...], spare: bool) -> tuple[tuple[int, ...], ...]:
    """The ways to pay one commodity with tiles of 1, 2 and 3 symbols.

    Without `spare` only those that no tile can be left out of: the smallest one is needed.
    """
    ways = []
    for share in product(*(range(n + 1) for n in held)):
        paid = share[0] + 2 * share[1] + 3 * share[2]
        smallest = next((symbols for symbols, n in enumerate(share, 1) if n), 0)
        if paid >= due and (spare or paid - smallest < due or not smallest):
            ways.append(share)
    return tuple(ways)


def payments(cost: Symbols, castle: Tiles, rulings: Rulings) -> tuple[Tiles, ...]:
    """Every legal payment from a castle's tiles, the least excess first; empty if none is.

    With `rulings.spare_tile` advisory, payments with spare tiles are legal too; with
    `rulings.cheaper_payment` illegal, only those of the least excess are.
    """
    spare = rulings.spare_tile == "advisory"
    shares = [
        _shares(due, castle[MOST_SYMBOLS * n : MOST_SYMBOLS * (n + 1)], spare)
        for n, due in enumerate(cost)
    ]
    found = [bread + marble + tools for bread, marble, tools in product(*shares)]
    found.sort(key=lambda payment: (excess(cost, payment), payment))
    if rulings.cheaper_payment == "illegal":
        found = [p for p in found if excess(cost, p) == excess(cost, found[0])]
    return tuple(found)
