"""What people corrected in a match, weighed one after the other as teaching examples for a book."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.journal import Event
from vision.camera import Image
from vision.errors import UnreadableError
from vision.faces.adoption import Reading, Rival, Taught, Upset, rivals, unfit, upset


@dataclass(frozen=True)
class Offer:
    """A correction, and what became of it."""

    event: Event
    size: tuple[int, int] | None = None
    """Width and height of its picture; None if there is none."""
    flaws: tuple[str, ...] = ()
    before: Reading | None = None
    after: Reading | None = None
    rivals: tuple[Rival, ...] = ()
    upset: tuple[Upset, ...] = ()
    why_not: str = ""
    """Why it is not adopted; empty if it is."""
    doubt: str = ""
    """What spoke against it, if it is adopted all the same."""

    @property
    def label(self) -> str:
        """What a person said that the tile shows."""
        return str(self.event.data["label"])


@dataclass
class Lesson:
    """The book as it is taught one correction after the other."""

    taught: Taught
    force: bool
    adopted: int = 0

    def offer(self, event: Event, picture: Image | None) -> Offer:
        """Weighs a correction, and adopts it if nothing speaks against it."""
        if picture is None:
            return Offer(event, why_not="its picture is not kept any more")
        size, label = (picture.shape[1], picture.shape[0]), str(event.data["label"])
        if flaws := unfit(picture, self.taught.book.aspect):
            return Offer(event, size, flaws, why_not=f"its picture is unfit: {'; '.join(flaws)}")
        before = self.taught.read(picture)
        if before == Reading(label, certain=True):
            why = "the book reads it rightly and without doubt: there is nothing to learn"
            return Offer(event, size, before=before, why_not=why)
        try:
            new = self.taught.with_picture(label, picture)
        except UnreadableError as error:
            return Offer(event, size, before=before, why_not=str(error))
        alike, spoilt = rivals(self.taught, new, label), upset(self.taught, new)
        after, doubt = new.read(picture), _doubt(label, before, alike, spoilt)
        if doubt and not self.force:
            return Offer(event, size, (), before, after, alike, spoilt, why_not=doubt)
        self.taught = new
        self.adopted += 1
        return Offer(event, size, (), before, after, alike, spoilt, doubt=doubt)


def _doubt(label: str, before: Reading, alike: Sequence[Rival], spoilt: Sequence[Upset]) -> str:
    """What speaks against a correction that could be adopted; empty if nothing does."""
    said = []
    if before.certain and before.label is not None and before.label != label:
        said.append(f"the book reads it as {before.label} without doubt")
    if new := [rival.label for rival in alike if rival.new]:
        said.append(f"{label} would look like {', '.join(new)}")
    if spoilt:
        names = ", ".join(dict.fromkeys(each.label for each in spoilt))
        said.append(f"taught pictures of {names} would be read worse than before")
    return "; ".join(said)


def offer_words(offer: Offer) -> list[str]:
    """A correction and what became of it in lines for people."""
    data = offer.event.data
    was = data.get("was") or "no face for sure"
    lines = [f"Event {offer.event.seq}: read as {was}, corrected to {offer.label}"]
    if offer.size is not None:
        fit = "unfit to teach" if offer.flaws else "fit to teach"
        lines.append(f"  picture   {offer.size[0]} x {offer.size[1]} pixels, {fit}")
    if offer.before is not None and offer.after is not None:
        lines.append(f"  read      {_read(offer.before)}; then {_read(offer.after)}")
        for rival in offer.rivals:
            mark = ", too alike" if rival.confusable else ""
            change = f"{rival.before:.2f}, then {rival.after:.2f}{mark}"
            lines.append(f"  likeness  to {rival.label} {change}")
        if not offer.rivals:
            lines.append(f"  likeness  no other face is anything like {offer.label}")
    for each in offer.upset:
        change = f"{_read(each.before)}; then {_read(each.after)}"
        lines.append(f"  spoilt    picture {each.picture} of {each.label}: {change}")
    doubt = f", although {offer.doubt}" if offer.doubt else ""
    why = f"  not adopted: {offer.why_not}" if offer.why_not else f"  adopted{doubt}"
    return [*lines, why]


def _read(reading: Reading) -> str:
    if reading.label is None:
        return "nothing that was taught"
    return reading.label if reading.certain else f"perhaps {reading.label}"


def offer_json(offer: Offer) -> dict[str, Any]:
    """The same for other programs."""
    data = offer.event.data
    return {
        "event": offer.event.seq,
        "label": offer.label,
        "was": data.get("was"),
        "picture": {
            "name": data["crop"],
            "size": None if offer.size is None else list(offer.size),
            "unfit": list(offer.flaws),
        },
        "before": _reading_json(offer.before),
        "after": _reading_json(offer.after),
        "look_alikes": [
            {
                "label": rival.label,
                "before": round(rival.before, 4),
                "after": round(rival.after, 4),
                "confusable": rival.confusable,
            }
            for rival in offer.rivals
        ],
        "spoilt": [
            {
                "label": each.label,
                "picture": each.picture,
                "before": _reading_json(each.before),
                "after": _reading_json(each.after),
            }
            for each in offer.upset
        ],
        "adopted": not offer.why_not,
        "why_not": offer.why_not or None,
        "forced_although": offer.doubt or None,
    }


def _reading_json(reading: Reading | None) -> dict[str, Any] | None:
    return None if reading is None else {"label": reading.label, "certain": reading.certain}
