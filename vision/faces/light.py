"""The light of a frame: the change of chroma under which most crops show a taught face."""

from __future__ import annotations

import numpy as np

from vision.faces.features import Array

#: Spread of the light over a table, and between teaching photos, in log chroma.
LOCAL_LIGHT = 0.25
#: Spread of the light of a whole frame about the teaching light: lamp against daylight.
ANY_LIGHT = 0.7
#: Lights so far apart, in log chroma, are two.
ANOTHER = 2 * LOCAL_LIGHT


def common_light(vote: Array, light: Array) -> Array:
    """The change of light (2,) that explains most crops.

    `vote` (n, k), 0 to 1, says how well each of k faces explains each of n crops but for the light,
    and `light` (n, k, 2) in which light. Each of them that has a vote proposes its own; each crop
    votes for a proposal as far as some face explains it under that light.
    """
    proposals, votes = _election(vote, light)
    if not len(proposals):
        return np.zeros(2, np.float32)
    return _around(proposals, votes, int(votes.argmax()))


def common_lights(vote: Array, light: Array) -> tuple[Array, float, Array]:
    """The best light, and the best one that is clearly another with its share of the votes.

    See `common_light`. The share is that of the best light's votes, 0 if there is no other.
    """
    proposals, votes = _election(vote, light)
    none = np.zeros(2, np.float32)
    if not len(proposals):
        return none, 0.0, none
    first = int(votes.argmax())
    best = _around(proposals, votes, first)
    other = np.linalg.norm(proposals - best, axis=1) > ANOTHER
    if not other.any():
        return best, 0.0, best
    second = int(np.where(other, votes, -1).argmax())
    return best, float(votes[second] / votes[first]), _around(proposals, votes, second)


def _election(vote: Array, light: Array) -> tuple[Array, Array]:
    """The lights (m, 2) that are proposed, and the votes (m,) for each."""
    proposals = light[vote > 0]
    apart = ((light[:, :, None] - proposals) ** 2).sum(-1)
    votes = (vote[:, :, None] * np.exp(-apart / (2 * LOCAL_LIGHT**2))).max(axis=1).sum(axis=0)
    return proposals, votes * np.exp(-(proposals**2).sum(-1) / (2 * ANY_LIGHT**2))


def _around(proposals: Array, votes: Array, at: int) -> Array:
    """The mean of the lights near one of them."""
    near = ((proposals - proposals[at]) ** 2).sum(-1) < LOCAL_LIGHT**2
    return np.asarray(np.average(proposals[near], axis=0, weights=votes[near]), np.float32)
