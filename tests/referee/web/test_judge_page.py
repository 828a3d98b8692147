"""The judge's tablet in a real browser: every override, at the small game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from referee.match.commands import Do
from referee.match.fold import Stage as Stages
from referee.web.app import create_app
from referee.web.pin import Pin
from referee.web.publish import Audience
from referee.web.sessions import Sessions
from tests.referee.observations import doubtful, down, sure
from tests.referee.web.browser import DESK, PHONE, SERVER_GONE, TABLET, UPRIGHT, Pages, served
from tests.referee.web.judged import NAME, judged, sit_down
from tests.referee.web.stage import Stage

#: How long the page takes no decision after the match has gone on (ms).
CALM_MS = 650
#: Two tiles, one of which is "a" and the other "b": which of them lies in the castle?
EITHER = [
    *sure("centre", "a"),
    *sure("centre", "b"),
    *sure("centre", "c", 2),
    doubtful("centre", "a", "b"),
    doubtful("castle", "a", "b"),
]
#: What lies there if as many were taken as may be, and if there was one too many.
REST = [*sure("centre", "a"), *sure("centre", "b"), *sure("centre", "c", 2)]
ONE = [*REST, *sure("centre", "b"), *sure("castle", "a")]
TWO = [*REST, *sure("castle", "a"), *sure("castle", "b")]
ONE_EACH = "Red, tiles: +1 \N{MULTIPLICATION SIGN} a, +1 \N{MULTIPLICATION SIGN} b"


@pytest.fixture
def address(stage: Stage, pin: Pin) -> Iterator[str]:
    with served(create_app(judged(stage, Sessions(pin)))) as address:
        yield address


@pytest.fixture
def tab(address: str, page: Pages) -> Page:
    """A tablet in the hands of a judge."""
    return sit_down(page(size=TABLET, touch=True), address)


def raided(stage: Stage, most: int = 2) -> None:
    """The hourglass has run; so many tiles may be taken."""
    stage.say(Do.ENTER, f"spin {most} -")
    stage.say(Do.START)
    stage.say(Do.STOP)


def reviewed(stage: Stage) -> bool:
    return stage.view.review is not None


def device(stage: Stage) -> Stages:
    return stage.view.device.stage


def button(part: Page | Locator, words: str) -> Locator:
    return part.get_by_role("button", name=re.compile(words))


def press(tab: Page, deed: str) -> None:
    """Presses a deed, once the page takes decisions again."""
    found = tab.locator(f"[data-do={deed}]")
    found.wait_for()
    tab.wait_for_timeout(CALM_MS)
    found.click()


def confirm(tab: Page, reason: str = "I saw it myself.") -> None:
    """The second step: a reason that is offered, and yes."""
    dialog = tab.locator("dialog")
    if reason:
        button(dialog, re.escape(reason)).click()
    dialog.locator(".yes").click()
    expect(dialog).to_have_count(0)


def done(tab: Page) -> Locator:
    return tab.locator(".done")


# Who judges.


def test_without_the_pin_nobody_judges(address: str, page: Pages) -> None:
    tab = page(size=TABLET)
    told = tab.context.request.get(
        f"{address}/judge", max_redirects=0, headers={"Accept": "text/html"}
    )
    assert told.status == 303
    assert told.headers["location"].startswith("/login?to=/judge")


def test_whoever_judges_is_asked_for_their_name_once(
    address: str, page: Pages, stage: Stage
) -> None:
    tab = sit_down(page(size=TABLET), address, name="")
    press(tab, "start")
    dialog = tab.locator("dialog")
    expect(dialog).to_contain_text("Who judges on this device?")
    dialog.locator("input").fill("Mia")
    dialog.locator(".primary").click()
    expect(done(tab)).to_contain_text("It is started.")
    stage.until(lambda: device(stage) is not Stages.IDLE or stage.view.trouble != "")
    events = list(stage.journal.events())
    assert "Mia" in {event.cause.who for event in events}
    tab.reload()
    expect(tab.locator(".by")).to_contain_text("Mia")


# What the table shows.


def test_a_tile_is_corrected_in_two_taps(tab: Page, stage: Stage) -> None:
    raided(stage)
    stage.see(EITHER)
    expect(tab.locator(".verdict h2")).to_have_text("2 tiles may be read in more than one way.")
    tab.locator("[data-spot='5']").dispatch_event("click")
    dialog = tab.locator("dialog")
    expect(dialog).to_contain_text("in doubt")
    # Scores, and how far the first is ahead, are for the judge.
    expect(dialog.locator(".rivals")).to_contain_text("90 %")
    expect(dialog.locator(".rivals")).to_contain_text("1 %")
    dialog.locator(".faces button[value=a]").click()
    stage.until(lambda: stage.view.state_id == 2)
    assert stage.view.moves[-1] == "raid - a"
    expect(done(tab)).to_contain_text("The tile counts as a.")
    expect(done(tab).locator(".back")).to_contain_text("Say again what it shows")


def test_readings_are_listed_with_the_doubtful_first(tab: Page, stage: Stage) -> None:
    raided(stage)
    stage.see([*EITHER[:4], down("centre"), EITHER[5]])
    rows = tab.locator(".readings li")
    expect(rows).to_have_count(6)
    expect(rows.first).to_contain_text("? a or b")
    expect(rows.first).to_contain_text("+1 %")
    button(tab, "In doubt").click()
    expect(rows).to_have_count(1)
    button(tab, "Face down").click()
    expect(rows).to_have_count(1)
    button(tab, "All 6").click()
    tab.get_by_label("Where they lie").select_option("castle")
    expect(rows).to_have_count(1)
    rows.first.locator("button").click()
    expect(tab.locator("dialog")).to_contain_text("A tile")


def test_rivals_are_chosen_from(tab: Page, stage: Stage) -> None:
    raided(stage)
    stage.see(EITHER)
    card = tab.get_by_role("region", name="Which was it?")
    expect(card.locator("button")).to_have_count(2)
    tab.wait_for_timeout(CALM_MS)
    card.locator("button").first.click()
    confirm(tab)
    stage.until(lambda: stage.view.state_id == 2)
    assert stage.view.moves[-1] in ("raid - a", "raid - b")
    assert stage.view.cause.who == NAME
    expect(done(tab)).to_contain_text("Recorded: raid")


# Overrides.


def test_what_the_rules_forbid_stands_if_the_judge_says_so_and_is_taken_back(
    tab: Page, stage: Stage
) -> None:
    raided(stage, most=1)
    tab.locator("#tab-hand").click()
    tab.locator("input[name=move]").fill("raid - a,b")
    tab.wait_for_timeout(CALM_MS)
    button(tab, "^Enter the move$").click()
    expect(tab.locator(".panel .note.differs")).to_contain_text("More than 1 tiles were taken.")
    assert stage.view.state_id == 1
    press(tab, "overrule")
    # Nothing is decided without a reason.
    dialog = tab.locator("dialog")
    dialog.locator(".yes").click()
    assert stage.view.state_id == 1
    dialog.locator("input").fill("the box had failed")
    dialog.locator(".yes").click()
    expect(done(tab)).to_contain_text("Recorded against the rules: raid - a,b")
    assert stage.view.moves[-1] == "raid - a,b"
    assert list(stage.journal.events())[-1].data["reason"] == "the box had failed"
    tab.wait_for_timeout(CALM_MS)
    done(tab).locator(".back").click()
    confirm(tab, "It was entered by mistake.")
    expect(done(tab)).to_contain_text("Taken back")
    assert stage.view.position.phase == "raid"
    # An undo is taken back as well.
    tab.wait_for_timeout(CALM_MS)
    done(tab).locator(".back").click()
    confirm(tab, "All players agree.")
    stage.until(lambda: stage.view.state_id == 4)
    assert stage.view.position.castle == ("a", "b")


def contradicted(stage: Stage) -> None:
    """One tile may be taken, two were."""
    raided(stage, most=1)
    stage.see(TWO)
    stage.until(lambda: stage.view.apart)


def test_the_table_is_right(tab: Page, stage: Stage) -> None:
    contradicted(stage)
    expect(tab.locator(".apart")).to_contain_text("Which is right?")
    press(tab, "table-right")
    expect(tab.locator("dialog")).to_contain_text("On record will be: raid")
    expect(tab.locator("dialog")).to_contain_text("More than 1 tiles were taken.")
    confirm(tab, "All players agree.")
    expect(done(tab)).to_contain_text("The table stands")
    assert stage.view.position.castle == ("a", "b")
    assert stage.view.cause.who == NAME
    expect(tab.locator(".verdict")).to_contain_text(f"decided by {NAME}", ignore_case=True)


def test_the_record_is_right(tab: Page, stage: Stage) -> None:
    contradicted(stage)
    press(tab, "record-right")
    confirm(tab)
    expect(done(tab)).to_contain_text("The record stands.")
    assert not stage.view.apart
    assert stage.view.state_id == 1
    stage.see(ONE)
    stage.until(lambda: stage.view.state_id == 2)
    assert stage.view.position.castle == ("a",)


def test_it_is_fixed_by_hand(tab: Page, stage: Stage) -> None:
    contradicted(stage)
    press(tab, "fix")
    card = tab.locator(".position")
    expect(card.get_by_text("Set the position", exact=True)).to_be_visible()
    card.locator(".take-all").click()
    expect(card.locator(".changes")).to_contain_text(ONE_EACH)
    card.locator("summary").first.click()
    card.locator("[data-fact=phase] select").select_option("pay")
    expect(card.locator(".checked")).to_contain_text("Nothing speaks against it.")
    expect(card.locator(".checked")).to_contain_text("Next: Do the pay.")
    card.locator("[data-do=position]").click()
    expect(tab.locator("dialog")).to_contain_text(ONE_EACH)
    assert stage.view.state_id == 1
    confirm(tab, "I saw it myself.")
    expect(done(tab)).to_contain_text("The position is set by hand.")
    assert stage.view.position.castle == ("a", "b")
    assert stage.view.position.phase == "pay"
    tab.wait_for_timeout(CALM_MS)
    done(tab).locator(".back").click()
    confirm(tab, "All players agree.")
    stage.until(lambda: stage.view.state_id == 3)
    assert stage.view.position.phase == "raid"


def test_an_impossible_position_is_told_and_can_be_set_all_the_same(
    tab: Page, stage: Stage
) -> None:
    tab.locator("#tab-hand").click()
    card = tab.locator(".position")
    button_set = card.locator("[data-do=position]")
    expect(button_set).to_be_disabled()
    card.locator("summary").last.click()
    text = card.locator("textarea[name=position]")
    text.fill("nonsense")
    expect(card.locator(".checked")).to_contain_text("'nonsense' is no position")
    expect(button_set).to_be_disabled()
    text.fill("1 pay 2 a,a,a,b,b,c,c 0")
    expect(card.locator(".checked")).to_contain_text("There are too many tiles.")
    button_set.click()
    expect(tab.locator("dialog")).to_contain_text("There are too many tiles.")
    confirm(tab)
    stage.until(lambda: stage.view.state_id == 1)
    assert len(stage.view.position.castle) == 7


def test_what_was_decided_on_an_older_state_is_refused(tab: Page, stage: Stage) -> None:
    press(tab, "start")
    stage.until(lambda: device(stage) is Stages.IDLE)
    tab.locator("#tab-hand").click()
    tab.locator("input[name=move]").fill("raid - a,b,c")
    press(tab, "overrule")
    stage.say(Do.ENTER, "spin 2 -")
    confirm(tab)
    expect(done(tab)).to_have_class(re.compile("wrong"))
    expect(done(tab)).to_contain_text("The match has gone on meanwhile")
    assert stage.view.state_id == 1


# A review.


def test_the_public_screens_are_frozen_and_go_on(tab: Page, stage: Stage) -> None:
    press(tab, "review")
    expect(tab.locator("dialog")).to_contain_text("Table screen and stream stay as they are")
    confirm(tab, "The judge looks at it.")
    banner = tab.locator(".review")
    expect(banner).to_contain_text("The public screens stand still")
    expect(banner).to_contain_text(f"{NAME}: The judge looks at it.")
    assert reviewed(stage)
    stage.say(Do.ENTER, "spin 2 -")
    # The judge sees what holds, everybody else what held.
    expect(tab.locator(".step")).to_contain_text("The raid")
    assert stage.shown(Audience.TABLE)["step"]["title"] == "The spin"
    tab.reload()
    expect(tab.locator(".review")).to_contain_text("The public screens stand still")
    tab.wait_for_timeout(CALM_MS)
    button(tab.locator(".review"), "End the review").click()
    expect(tab.locator(".review")).to_have_count(0)
    assert not reviewed(stage)
    assert stage.shown(Audience.TABLE)["step"]["title"] == "The raid"


# By hand.


def test_what_was_started_by_a_stray_tap_begins_anew(tab: Page, stage: Stage) -> None:
    stage.say(Do.ENTER, "spin 2 -")
    press(tab, "start")
    expect(done(tab)).to_contain_text("It is started.")
    assert device(stage) is Stages.RUNNING
    tab.wait_for_timeout(CALM_MS)
    done(tab).locator(".back").click()
    confirm(tab, "It was entered by mistake.")
    expect(done(tab)).to_contain_text("The step begins anew.")
    assert device(stage) is Stages.IDLE
    assert stage.view.position.phase == "raid"


def enter(tab: Page, move: str) -> None:
    """Writes a move, and presses the key that sends it."""
    tab.locator("#tab-hand").click()
    tab.locator("input[name=move]").fill(move)
    tab.wait_for_timeout(CALM_MS)
    tab.keyboard.press("Enter")
    expect(done(tab)).to_contain_text(f"Recorded: {move}")
    tab.locator("#tab-now").click()


def test_a_match_goes_on_without_camera_or_box(pin: Pin, page: Pages, tmp_path: Path) -> None:
    stage = Stage(tmp_path, camera=False)
    stage.start()
    with served(create_app(judged(stage, Sessions(pin)))) as address:
        tab = sit_down(page(size=TABLET), address)
        expect(tab.locator(".eyes")).to_contain_text("No camera is used")
        press(tab, "done")
        enter(tab, "spin 2 -")
        press(tab, "start")
        expect(tab.locator(".device")).to_contain_text("seconds are left of the hourglass")
        press(tab, "stop")
        expect(tab.locator(".device")).to_contain_text("The hourglass has run out.")
        enter(tab, "raid - c")
        tab.wait_for_timeout(CALM_MS)
        button(tab, "^Pay c$").click()
        expect(done(tab)).to_contain_text("Recorded: Pay c")
        press(tab, "done")
        stage.until(lambda: stage.view.position.round == 2)
        tab.locator("#tab-hand").click()
        tab.locator("textarea[name=note]").fill("played by hand")
        button(tab, "Put it on record").click()
        expect(done(tab)).to_contain_text("The note is on record.")
        page.close()
    stage.stop()


# The record.


def test_the_record_shows_what_was_taken_back_and_leads_to_any_earlier_state(
    tab: Page, stage: Stage
) -> None:
    raided(stage)
    stage.see(ONE)
    stage.until(lambda: stage.view.state_id == 2)
    stage.say(Do.ENTER, "pay a -")
    stage.say(Do.UNDO, to=2, reason="misread")
    press(tab, "earlier")
    rows = tab.locator(".trail .event")
    expect(rows).to_have_count(5)
    gone = tab.locator(".event.gone")
    expect(gone).to_have_count(1)
    expect(gone.locator("s")).to_contain_text("pay a")
    expect(gone).to_contain_text("taken back")
    tab.locator("[data-back='0']").click()
    expect(tab.locator("dialog")).to_contain_text("Everything since then is taken back too.")
    confirm(tab, "It was entered by mistake.")
    stage.until(lambda: stage.view.position.phase == "spin")
    expect(gone).to_have_count(3)
    tab.locator(".filters").get_by_text("Taken back", exact=True).click()
    expect(rows.locator("s").first).to_be_visible()
    tab.get_by_label("Search in the record").fill("pay a")
    expect(rows).to_have_count(1)


def test_pictures_are_compared_side_by_side(tab: Page, stage: Stage) -> None:
    raided(stage)
    stage.see(ONE)
    stage.until(lambda: stage.view.state_id == 2)
    button(tab, "Compare the pictures").click()
    dialog = tab.locator("dialog")
    panes = dialog.locator(".pane")
    expect(panes).to_have_count(2)
    expect(dialog).to_contain_text("when time was up")
    expect(dialog).to_contain_text("as it was judged")
    boxes = [pane.bounding_box() for pane in panes.all()]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 2
    button(dialog, "Larger").click()
    styles = [pane.locator("img").get_attribute("style") for pane in panes.all()]
    assert styles[0] == styles[1]
    assert "scale(1.6)" in (styles[0] or "")
    panes.first.focus()
    tab.keyboard.press("ArrowRight")
    moved = panes.last.locator("img").get_attribute("style") or ""
    assert moved != styles[1]
    tab.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


# The parts.


def test_diagnostics_follow_what_happens(tab: Page, stage: Stage) -> None:
    tab.locator("#tab-parts").click()
    parts = tab.locator(".part")
    expect(parts).to_have_count(10)
    camera = parts.filter(has_text="Camera").filter(has_not_text="Settings").first
    camera.locator("summary").click()
    expect(camera).to_contain_text("pictures a second")
    stage.see(EITHER)
    expect(parts.filter(has_text="What is read")).to_contain_text("Some tiles are in doubt.")


def test_what_is_not_known_any_more_is_not_shown(page: Pages, pin: Pin, stage: Stage) -> None:
    with served(create_app(judged(stage, Sessions(pin)))) as address:
        tab = sit_down(page(size=TABLET), address)
        expect(tab.locator(".verdict")).to_be_visible()
        page.allow(*SERVER_GONE)
    expect(tab.locator(".lost")).to_contain_text("does not answer")
    expect(tab.locator(".verdict")).to_have_count(0)
    expect(tab.locator(".spots")).to_have_count(0)


# For everybody.


@pytest.mark.parametrize("lang", ["en", "de"])
def test_every_part_of_the_page_can_be_used_by_everybody(
    address: str,
    page: Pages,
    stage: Stage,
    axe: Callable[..., None],
    shot: Callable[..., bytes],
    lang: str,
) -> None:
    contradicted(stage)
    tab = sit_down(page(size=TABLET, lang=lang), address)
    expect(tab.locator(".apart")).to_be_visible()
    axe(tab)
    shot(tab, f"judge-{lang}")
    for part in ("hand", "record", "parts"):
        tab.locator(f"#tab-{part}").click()
        tab.locator(
            {"hand": ".position details", "record": ".event", "parts": ".part"}[part]
        ).first.wait_for()
        if part == "hand":
            tab.locator(".position summary").nth(1).click()
        axe(tab)
        shot(tab, f"judge-{part}-{lang}")
    tab.locator("#tab-now").click()
    press(tab, "table-right")
    axe(tab)
    shot(tab, f"judge-ask-{lang}")
    tab.keyboard.press("Escape")
    tab.locator("[data-spot='4']").dispatch_event("click")
    axe(tab)
    shot(tab, f"judge-tile-{lang}")


def test_it_fits_every_screen(
    address: str,
    page: Pages,
    stage: Stage,
    shot: Callable[..., bytes],
    axe: Callable[..., None],
) -> None:
    contradicted(stage)
    stage.say(Do.REVIEW, reason="the tiles are counted")
    tab = sit_down(page(size=PHONE, lang="de"), address)
    expect(tab.locator(".apart")).to_be_visible()
    for name, (width, height) in {"phone": PHONE, "upright": UPRIGHT, "desk": DESK}.items():
        tab.set_viewport_size({"width": width, "height": height})
        expect(tab.locator("#tab-readings")).to_have_count(int(width < 880))
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        shot(tab, f"judge-{name}-de")
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        axe(tab)
    shot(tab, "judge-dark-de")


def test_the_keyboard_alone_is_enough(tab: Page, stage: Stage) -> None:
    raided(stage)
    stage.see(EITHER)
    spots = tab.locator(".spots polygon")
    expect(spots).to_have_count(6)
    tab.locator(".spots polygon[tabindex='0']").focus()
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    expect(tab.locator("dialog")).to_contain_text("in doubt")
    tab.keyboard.press("Escape")
    tab.locator("#tab-now").focus()
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("#tab-hand")).to_have_attribute("aria-selected", "true")


def test_scripts_are_small(address: str, tab: Page) -> None:
    sizes: list[int] = tab.evaluate(
        "performance.getEntriesByType('resource').filter(e => e.name.endsWith('.js'))"
        ".map(e => e.decodedBodySize)"
    )
    assert 0 < sum(sizes) <= 150_000
