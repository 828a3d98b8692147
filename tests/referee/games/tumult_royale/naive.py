"""A second adjudicator, written from the rules alone, slowly and plainly; it imports no product.

Kit values and default rulings only. A tile is a pair such as ("bread", 2); a heap of tiles is a
list; the map is a dict from (row, column) to a letter P, F, M, V or C, without the fields of
face-down regions.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

Tile = tuple[str, int]
Field = tuple[int, int]
Payment = tuple[Tile, ...]

COMMODITIES = ("bread", "marble", "tools")
STATUES = 25
NEEDED = {"P": 1, "F": 1, "M": 1, "V": 2, "C": 3}
COST: dict[str, dict[str, int]] = {
    "P": {"bread": 1, "marble": 1},
    "F": {"bread": 1, "tools": 1},
    "M": {"marble": 1, "tools": 1},
    "V": {"bread": 2, "marble": 2},
    "C": {"marble": 2, "tools": 3},
}
CHRONICLE = (1, 1, 1, 1, 1, 2, 2, 2, 2, 2)
BELOW = {6: 6, 7: 5, 8: 4, 9: 3, 10: 2}
REVEALS = {2: {3: 1, 5: 1}, 3: {3: 1, 5: 2}, 4: {3: 2, 5: 2}}


def symbols(heap: list[Tile] | Payment, commodity: str) -> int:
    return sum(n for kind, n in heap if kind == commodity)


class Tumult:
    """What happens over one commodity (3.3)."""

    def __init__(
        self,
        commodity: str,
        demand: int,
        centre: list[Tile],
        castles: list[list[Tile]],
        ranks: list[int],
        mercy: list[bool],
    ) -> None:
        self.remaining = symbols(centre, commodity)
        self.happens = self.remaining < demand
        self.greed = []
        for castle, merciful in zip(castles, mercy, strict=True):
            greed = symbols(castle, commodity)
            if merciful and greed > 0:
                greed -= 1
            self.greed.append(greed)
        self.greediest: int | None = None
        if self.happens and max(self.greed) > 0:
            for player in range(len(castles)):
                if self.greed[player] == max(self.greed) and (
                    self.greediest is None or ranks[player] < ranks[self.greediest]
                ):
                    self.greediest = player
        self.returned: list[Tile] = []
        if self.greediest is not None:
            mine = sorted(tile for tile in castles[self.greediest] if tile[0] == commodity)
            self.returned = mine[1:]


@cache
def pays(letter: str, double: bool, tiles: Payment) -> bool:
    times = 2 if double else 1
    return all(symbols(tiles, commodity) >= n * times for commodity, n in COST[letter].items())


@cache
def subsets(castle: Payment) -> frozenset[Payment]:
    return frozenset(
        chosen for size in range(len(castle) + 1) for chosen in combinations(castle, size)
    )


@cache
def ways_to_pay(letter: str, double: bool, castle: Payment) -> frozenset[Payment]:
    """All subsets of a castle that pay, and that stop paying without any one of their tiles."""
    return frozenset(
        chosen
        for chosen in subsets(castle)
        if pays(letter, double, chosen)
        and not any(pays(letter, double, chosen[:i] + chosen[i + 1 :]) for i in range(len(chosen)))
    )


def excess(letter: str, double: bool, payment: Payment) -> int:
    return sum(n for _, n in payment) - sum(COST[letter].values()) * (2 if double else 1)


class Table:
    """A game's table, changed in place; players are numbers in the order of their seats."""

    def __init__(self, players: int, grid: dict[Field, str], ranks: list[int]) -> None:
        self.players = players
        self.grid = grid
        self.ranks = ranks
        self.supporters = [{2: 30, 3: 20, 4: 15}[players]] * players
        self.built = [0] * players
        self.mercy = [False] * players
        self.owner: dict[Field, int] = {}
        self.spaces: list[int] = []
        self.castles: list[list[Tile]] = [[] for _ in range(players)]
        self.punished = [False] * players
        self.built_now = [False] * players
        self.out = [False] * players
        self.waiting: list[int] = []
        self.winner: int | None = None

    @property
    def supply(self) -> int:
        return 25 * 1 + 8 * 5 + 4 * 10 - sum(self.supporters)

    def order(self) -> list[int]:
        return [self.ranks.index(rank) for rank in range(1, self.players + 1)]

    # 2. Setup

    def first_statue_fields(self) -> set[Field]:
        return {field for field in self.grid if self.grid[field] == "P" and field not in self.owner}

    def first_statue(self, player: int, field: Field) -> None:
        self.owner[field] = player
        self.built[player] += 1

    # 3.2 and 3.3

    def reveal(self, demand: int, centre: list[Tile], castles: list[list[Tile]]) -> list[Tumult]:
        """Finds and punishes the greediest; nobody has taken a turn at building afterwards."""
        tumults = [
            Tumult(commodity, demand, centre, castles, self.ranks, self.mercy)
            for commodity in COMMODITIES
        ]
        self.castles = [list(castle) for castle in castles]
        self.punished = [False] * self.players
        for tumult in tumults:
            if tumult.greediest is not None:
                self.punished[tumult.greediest] = True
                self.supporters[tumult.greediest] -= min(3, self.supporters[tumult.greediest])
                for tile in tumult.returned:
                    self.castles[tumult.greediest].remove(tile)
        self.built_now = [False] * self.players
        self.out = [False] * self.players
        self.waiting = self.order()
        return tumults

    # 3.4

    def touches(self, player: int, field: Field) -> bool:
        row, column = field
        return player in (
            self.owner.get((row - 1, column)),
            self.owner.get((row + 1, column)),
            self.owner.get((row, column - 1)),
            self.owner.get((row, column + 1)),
        )

    def builds(self, player: int) -> dict[Field, frozenset[Payment]]:
        """The fields that the player can build on, each with every legal payment."""
        castle = tuple(sorted(self.castles[player]))
        found = {}
        for field, letter in self.grid.items():
            if field in self.owner or self.built[player] + NEEDED[letter] > STATUES:
                continue
            near = self.touches(player, field)
            if not near and letter not in "PF":
                continue
            if ways := ways_to_pay(letter, not near, castle):
                found[field] = ways
        return found

    def next_builder(self) -> int | None:
        """Whose turn it is; None when all are out."""
        if not self.waiting:
            self.waiting = [player for player in self.order() if not self.out[player]]
        return self.waiting[0] if self.waiting else None

    def drop_out(self) -> None:
        self.out[self.waiting.pop(0)] = True

    def build(self, field: Field, payment: Payment) -> None:
        player = self.waiting.pop(0)
        letter = self.grid[field]
        too_much = excess(letter, not self.touches(player, field), payment)
        self.supporters[player] += min(too_much, self.supply)
        for tile in payment:
            self.castles[player].remove(tile)
        self.owner[field] = player
        self.built[player] += NEEDED[letter]
        self.built_now[player] = True
        if self.built[player] == STATUES:
            self.winner = player

    def console(self) -> None:
        for player in self.order():
            if not self.built_now[player] and not self.punished[player]:
                self.supporters[player] += min(2, self.supply)

    # 3.5 to 3.7, and 4

    def rank(self) -> None:
        order = sorted(self.order(), key=lambda player: self.supporters[player], reverse=True)
        self.ranks = [order.index(player) + 1 for player in range(self.players)]

    def crown(self) -> None:
        king = self.ranks.index(1)
        self.supporters[king] -= min(5, self.supporters[king])
        statues = min(CHRONICLE[len(self.spaces)], STATUES - self.built[king])
        self.built[king] += statues
        self.spaces.append(king)
        space = len(self.spaces)
        if self.built[king] == STATUES:
            self.winner = king
        elif (space in BELOW and max(self.built) - min(self.built) > BELOW[space]) or space == 10:
            best = [p for p in self.order() if self.built[p] == max(self.built)]
            self.winner = best[0]

    def regions_to_turn(self) -> int:
        return REVEALS[self.players].get(len(self.spaces), 0)

    def show_mercy(self) -> None:
        fewest = min(self.built)
        equal = len(set(self.built)) == 1
        self.mercy = [built == fewest and not equal for built in self.built]
