"""What the tests' own browser notices: faults of pages must not pass unseen."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from tests.referee.web.browser import PHONE, Pages, served

FAULTY = """<!doctype html><html lang="en"><title>Faults</title><body>
<p style="color: #bbb; background: #fff">Pale</p><img src="/away.png" alt="">
<img src="http://127.0.0.2:9/elsewhere.png" alt="">
<script>console.error("said"); setTimeout(() => { throw new Error("thrown"); }, 0)</script>"""


def test_faults_of_a_page_are_noticed(page: Pages, axe: Callable[..., None]) -> None:
    app = FastAPI()
    app.get("/")(lambda: HTMLResponse(FAULTY))
    tab = page(size=PHONE, lang="de", dark=True)
    page.allow("ERR_CONNECTION_REFUSED")
    with served(app) as address:
        tab.goto(address, wait_until="networkidle")
        with pytest.raises(AssertionError, match="color-contrast"):
            axe(tab)
    told = "\n".join(sorted(page.errors))
    page.errors.clear()
    for part in ("said", "thrown", "404", "asked for http://127.0.0.2:9/elsewhere.png"):
        assert part in told
    assert "REFUSED" not in told
    assert tab.evaluate("[innerWidth, navigator.language]") == [390, "de-DE"]
    assert tab.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")


def test_what_a_page_does_not_paint_stays_transparent(
    page: Pages, shot: Callable[..., bytes]
) -> None:
    tab = page(size=PHONE)
    tab.set_content("<style>body{margin:0}</style><p style='height:9px;margin:0;background:red'>")
    image = cv2.imdecode(np.frombuffer(shot(tab, "clear", clear=True), np.uint8), -1)
    assert image is not None
    assert image.shape == (844, 390, 4)
    assert image[4, 200].tolist() == [0, 0, 255, 255]
    assert image[400, 200, 3] == 0
