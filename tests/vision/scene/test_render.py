"""The picture shows what the truth says, to a fraction of a pixel."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.scene import flats as flat_things
from vision.scene.cameras import overhead_camera
from vision.scene.description import Camera, Flat, Hand, Lamp, Piece, Scene, Sensor
from vision.scene.render import Renderer, render
from vision.scene.sensor import Webcam
from vision.scene.sprites import Sprite

PLANE = (480.0, 310.0)
SIZE = (640, 360)
#: A sensor that adds nothing of its own, so that edges can be measured.
CLEAN = Sensor(blur=0.6, noise=0.0, vignetting=0.0, sharpening=0.0, jpeg=None)
EVEN = Lamp(place=(240.0, 155.0, 5000.0), ambient=1.0)


def camera(**pose: float) -> Camera:
    settings = {"tilt": 14.0, "azimuth": 35.0, "roll": 4.0, "margin": 30.0, **pose}
    return overhead_camera(PLANE, SIZE, distortion=(-0.12, 0.02, 0.0, 0.0, 0.0), **settings)


def scene(**parts: object) -> Scene:
    settings = {"camera": camera(), "surface": "laminate", "lamp": EVEN, "sensor": CLEAN, **parts}
    return Scene(**settings)  # type: ignore[arg-type]


def plain(bgr: tuple[int, int, int], side: int = 60) -> NDArray[np.uint8]:
    texture = np.full((side, side, 4), 255, np.uint8)
    texture[..., :3] = bgr
    return texture


def chequered(fields: int, field_px: int) -> NDArray[np.uint8]:
    odd = np.indices((fields, fields)).sum(axis=0) % 2
    grey = np.kron(np.where(odd, 230, 20), np.ones((field_px, field_px))).astype(np.uint8)
    return np.dstack([grey, grey, grey, np.full_like(grey, 255)])


def seen_at(c: Camera, point: tuple[float, float], height: float) -> NDArray[np.float64]:
    """OpenCV's own answer; the plane's z axis points into the table."""
    solid = np.array([[[*point, -height]]], dtype=np.float64)
    pixels, _ = cv2.projectPoints(solid, c.rvec, c.tvec, c.matrix, c.distortion)
    return np.asarray(pixels, dtype=np.float64).reshape(2)


@pytest.mark.parametrize(("side", "field_px"), [(60.0, 40), (60.0, 5), (60.0, 12)])
def test_prints_lie_where_their_quads_say(side: float, field_px: int) -> None:
    fields = 4
    tile = chequered(fields, field_px)
    spots = [(60.0, 60.0), (400.0, 70.0), (240.0, 160.0), (70.0, 250.0), (420.0, 260.0)]
    flats = tuple(
        Flat(tile, (side, side), spot, angle=17.0 * i, base=2.0 * i, thickness=2.0)
        for i, spot in enumerate(spots)
    )
    picture = render(scene(flats=flats))
    grey = cv2.cvtColor(picture.image, cv2.COLOR_BGR2GRAY)
    knots = np.array([(x, y) for x in range(1, fields) for y in range(1, fields)]) / fields
    for flat, truth in zip(flats, picture.tiles, strict=True):
        across, down = truth.quad_mm[1] - truth.quad_mm[0], truth.quad_mm[3] - truth.quad_mm[0]
        points = truth.quad_mm[0] + knots[:, :1] * across + knots[:, 1:] * down
        expected = np.array([seen_at(camera(), (x, y), flat.base + 2.0) for x, y in points])
        criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
        found = cv2.cornerSubPix(
            grey, expected.astype(np.float32).reshape(-1, 1, 2), (4, 4), (-1, -1), criteria
        ).reshape(-1, 2)
        assert np.linalg.norm(found - expected, axis=1).max() < 0.2
        assert np.linalg.norm((found - expected).mean(axis=0)) < 0.1


def test_quads_are_the_projected_corners_of_the_top_face() -> None:
    flat = Flat(plain((200, 200, 200)), (40.0, 30.0), (200.0, 120.0), 25.0, base=3.0, thickness=2.0)
    (truth,) = render(scene(flats=(flat,))).tiles
    turn = np.radians(25.0)
    for corner, (x, y) in zip(
        range(4), [(-20.0, -15.0), (20.0, -15.0), (20.0, 15.0), (-20.0, 15.0)], strict=True
    ):
        # Clockwise as seen, with y pointing down.
        point = (
            200.0 + x * np.cos(turn) - y * np.sin(turn),
            120.0 + x * np.sin(turn) + y * np.cos(turn),
        )
        np.testing.assert_allclose(truth.quad_mm[corner], point, atol=1e-3)
        expected = seen_at(camera(), point, 5.0)
        np.testing.assert_allclose(truth.quad_px[corner], expected, atol=1e-2)


def test_outline_encloses_the_area_of_the_quad() -> None:
    flat = Flat(plain((255, 255, 255)), (90.0, 90.0), (240.0, 150.0), 12.0, thickness=0.0)
    dark = scene(surface="laminate", camera=camera(tilt=0.0))
    with_it = render(replace(dark, flats=(flat,)))
    without = render(dark)
    step = with_it.image.astype(float).sum(axis=2) - without.image.astype(float).sum(axis=2)
    quad = with_it.tiles[0].quad_px
    inner = cv2.fillConvexPoly(
        np.zeros(step.shape, np.uint8),
        np.rint(quad + (quad.mean(axis=0) - quad) * 0.2).astype(int),
        1,
    )
    contrast = float(np.median(step[inner > 0]))
    # Half covered pixels count half, so the rim's mean offset is an area over a length.
    area = float((step / contrast > 0.5).sum())
    offset = (area - cv2.contourArea(quad)) / cv2.arcLength(quad, True)
    assert abs(offset) < 0.2


def test_fine_print_drawn_small_becomes_even_grey() -> None:
    stripes = plain((0, 0, 0), 1200)
    stripes[:, ::2, :3] = 255
    flat = Flat(stripes, (120.0, 120.0), (240.0, 150.0), 0.0)
    picture = render(scene(flats=(flat,), camera=camera(tilt=0.0, roll=0.0)))
    middle = picture.tiles[0].quad_px.mean(axis=0).astype(int)
    patch = picture.image[middle[1] - 30 : middle[1] + 30, middle[0] - 30 : middle[0] + 30]
    assert patch.std() < 4.0


def test_equal_scenes_give_equal_pictures() -> None:
    noisy = scene(surface="wood", surface_seed=5, sensor=Sensor(), seed=3)
    first = render(noisy).image
    render(replace(noisy, surface="felt", surface_seed=1))
    assert np.array_equal(render(noisy).image, first)
    assert not np.array_equal(render(replace(noisy, seed=4)).image, first)


def test_redrawing_what_changed_equals_drawing_all() -> None:
    tile = plain((220, 230, 240))
    still = tuple(
        Flat(tile, (35.0, 35.0), (60.0 + 50 * i, 80.0), 5.0 * i, thickness=2.0) for i in range(4)
    )
    pawn = Piece((300.0, 200.0), (40, 200, 240), "yellow", 13.0, 26.0)
    base = scene(flats=still, pieces=(pawn,), surface="wood", lamp=Lamp(glare=0.2), sensor=CLEAN)
    moved = replace(still[1], centre=(200.0, 160.0), base=30.0)
    steps = [
        base,
        replace(base, hands=(Hand((150.0, 150.0), (150.0, 700.0)),)),
        replace(
            base,
            flats=(still[0], moved, *still[2:]),
            hands=(Hand((180.0, 160.0), (200.0, 700.0)),),
        ),
        replace(base, flats=still[:3], pieces=(replace(pawn, centre=(120.0, 90.0)),)),
        base,
    ]
    renderer = Renderer()
    for step in steps:
        kept, fresh = renderer.render(step), render(step)
        difference = np.abs(kept.image.astype(int) - fresh.image.astype(int))
        assert difference.max() <= 1
        for one, other in zip(kept.tiles, fresh.tiles, strict=True):
            assert one.visible == pytest.approx(other.visible)


def test_redrawing_is_cheaper_than_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thing that moved is drawn anew, and light only where it was and where it is."""
    sprites: list[Flat] = []
    lit: list[int] = []
    draw, expose = flat_things.flat_sprite, Webcam.expose

    def drawn(flat: Flat, *more: Any) -> Sprite | None:
        sprites.append(flat)
        return draw(flat, *more)

    def exposed(camera: Webcam, light: NDArray[np.float32], *more: Any) -> NDArray[np.int16]:
        lit.append(light.shape[1] * light.shape[2])
        return expose(camera, light, *more)

    monkeypatch.setattr("vision.scene.render.flat_sprite", drawn)
    monkeypatch.setattr(Webcam, "expose", exposed)
    tile = plain((220, 230, 240))
    flats = [Flat(tile, (35.0, 35.0), (40.0 + 45 * i, 80.0), thickness=2.0) for i in range(9)]
    renderer = Renderer()
    renderer.render(scene(flats=tuple(flats)))
    assert len(sprites) == 9
    assert sum(lit) == SIZE[0] * SIZE[1]
    flats[0] = replace(flats[0], centre=(45.0, 200.0))
    renderer.render(scene(flats=tuple(flats)))
    (moved,) = sprites[9:]
    assert moved is flats[0]
    assert sum(lit[1:]) < lit[0] / 5
    # Where a hand has gone, the table is as it was: no light is worked out.
    hand = Hand((150.0, 150.0), (150.0, 700.0))
    renderer.render(scene(flats=tuple(flats), hands=(hand,)))
    before = len(lit)
    renderer.render(scene(flats=tuple(flats)))
    assert len(lit) == before


def test_visible_share_under_a_hand_and_under_another_tile() -> None:
    tile = plain((220, 230, 240))
    overhead = camera(tilt=0.0, roll=0.0)
    under_hand = Flat(tile, (35.0, 35.0), (120.0, 150.0), thickness=2.0)
    free = replace(under_hand, centre=(400.0, 80.0))
    below = replace(under_hand, centre=(300.0, 200.0))
    half = replace(below, centre=(300.0 + 17.5, 200.0), base=2.0)
    # The palm is about one and a half widths behind the tip.
    hand = Hand((120.0, 40.0), (120.0, 700.0), height=5.0)
    picture = render(scene(camera=overhead, flats=(under_hand, free, below, half), hands=(hand,)))
    seen = [truth.visible for truth in picture.tiles]
    assert seen[0] < 0.05
    assert seen[1] > 0.98
    assert seen[2] == pytest.approx(0.5, abs=0.05)
    assert seen[3] > 0.98


def test_a_tile_partly_outside_the_picture_is_partly_seen() -> None:
    overhead = camera(tilt=0.0, roll=0.0, margin=30.0)
    flat = Flat(plain((220, 230, 240)), (40.0, 40.0), (240.0, -30.0), thickness=0.0)
    truth = render(scene(camera=overhead, flats=(flat,))).tiles[0]
    inside = np.clip(truth.quad_px, -0.5, None)
    share = cv2.contourArea(inside.astype(np.float32)) / cv2.contourArea(truth.quad_px)
    assert 0.1 < share < 0.9
    assert truth.visible == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("spot", [(60.0, 60.0), (430.0, 70.0), (90.0, 260.0), (420.0, 250.0)])
def test_standing_pieces_lean_away_from_the_camera(spot: tuple[float, float]) -> None:
    c = camera()
    pawn = Piece(spot, (30, 196, 245), "yellow", 13.0, 26.0, base=2.0)
    bare = scene(surface="felt", surface_seed=2)
    picture = render(replace(bare, pieces=(pawn,)))
    (truth,) = picture.pieces
    foot, head = seen_at(c, spot, 2.0), seen_at(c, spot, 28.0)
    np.testing.assert_allclose(truth.foot_px, foot, atol=1e-2)
    np.testing.assert_allclose(truth.head_px, head, atol=1e-2)
    # Where the picture turned yellow, it reaches from around the foot to around the head.
    pixels = picture.image.astype(int)
    yellow = np.argwhere((pixels[..., 2] - pixels[..., 0] > 90) & (pixels[..., 1] > 100))[:, ::-1]
    lean = head - foot
    length = float(np.linalg.norm(lean))
    along = (yellow - foot) @ lean / length
    assert length > 3.0
    assert along.max() == pytest.approx(length, abs=0.56 * 6.5 * length / 13 + 3.0)
    assert along.max() > 0.8 * length
    assert truth.visible > 0.95


def test_shadows_fall_away_from_the_lamp() -> None:
    lamp = Lamp(place=(-1500.0, 150.0, 900.0), ambient=0.2, softness=20.0)
    flat = Flat(plain((90, 90, 90)), (40.0, 40.0), (240.0, 150.0), base=30.0, thickness=2.0)
    bare = scene(lamp=lamp, camera=camera(tilt=0.0, roll=0.0))
    change = render(replace(bare, flats=(flat,))).image.astype(int) - render(bare).image
    c = bare.camera

    def darkening(x: float) -> float:
        px, py = np.rint(seen_at(c, (x, 150.0), 0.0)).astype(int)
        return float(-change[py - 2 : py + 3, px].mean())

    # 30 mm up, 1740 mm beside a lamp at 900 mm: the shadow falls 60 mm further on.
    assert darkening(240.0 + 60.0) > 20.0
    assert darkening(240.0 - 60.0) < 5.0


def test_noise_grows_with_its_setting_and_white_balance_tints() -> None:
    grey = Flat(plain((128, 128, 128)), (200.0, 200.0), (240.0, 150.0))
    quiet, loud = (
        render(scene(flats=(grey,), sensor=replace(CLEAN, noise=noise))).image[150:210, 290:350]
        for noise in (1.0, 4.0)
    )
    assert loud.std() > 2.0 * quiet.std()
    warm = render(scene(flats=(grey,), sensor=replace(CLEAN, white_balance=(0.7, 1.0, 1.3))))
    blue, green, red = warm.image[150:210, 290:350].reshape(-1, 3).mean(axis=0)
    assert blue < green < red


@pytest.mark.parametrize("tilt", [0.0, 9.0, 20.0])
@pytest.mark.parametrize("azimuth", [0.0, 120.0, 250.0])
def test_the_camera_sees_the_plane_and_its_margin(tilt: float, azimuth: float) -> None:
    c = overhead_camera(PLANE, SIZE, tilt=tilt, azimuth=azimuth, roll=3.0, margin=40.0)
    corners = [(-40.0, -40.0), (520.0, -40.0), (520.0, 350.0), (-40.0, 350.0)]
    pixels = np.array([seen_at(c, corner, 0.0) for corner in corners])
    assert (pixels >= -0.5).all()
    assert (pixels <= np.array(SIZE) - 0.5).all()
    # It is as near as it can be: one side or the other is used up.
    spread = np.ptp(pixels, axis=0) / np.array(SIZE)
    assert spread.max() > 0.97


def test_the_camera_stands_on_the_side_it_is_told() -> None:
    below = overhead_camera(PLANE, SIZE, tilt=20.0, azimuth=0.0)
    near = np.linalg.norm(seen_at(below, (0.0, 310.0), 0.0) - seen_at(below, (480.0, 310.0), 0.0))
    far = np.linalg.norm(seen_at(below, (0.0, 0.0), 0.0) - seen_at(below, (480.0, 0.0), 0.0))
    assert near > far


def test_what_is_no_surface_and_what_is_no_texture_are_refused() -> None:
    with pytest.raises(ValueError, match="'marble'"):
        render(scene(surface="marble"))
    grey = np.zeros((10, 10), np.uint8)
    with pytest.raises(ValueError, match=r"\(10, 10\)"):
        render(scene(flats=(Flat(grey, (10.0, 10.0), (100.0, 100.0)),)))


def test_a_scene_that_cannot_be_drawn_does_not_spoil_the_next() -> None:
    good = scene(flats=(Flat(plain((200, 60, 60)), (40.0, 40.0), (240.0, 150.0)),))
    renderer = Renderer()
    bad = replace(good, flats=(Flat(np.zeros((10, 10), np.uint8), (10.0, 10.0), (60.0, 60.0)),))
    with pytest.raises(ValueError, match="texture"):
        renderer.render(bad)
    assert np.array_equal(renderer.render(good).image, render(good).image)
