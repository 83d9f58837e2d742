"""The motion file: round trip, missing arrays, what is not one; and the picture of one."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from footfall.core.errors import MotionError
from footfall.core.motion import Motion, load_motion, save_motion
from footfall.core.motion.picture import save_picture
from footfall.core.terrain import FlatGround
from hypothesis import given
from hypothesis import strategies as st


def test_round_trip(walk: Motion, tmp_path: Path) -> None:
    back = load_motion(save_motion(walk, tmp_path / "deep" / "folder"))
    for f in fields(Motion):
        mine = getattr(walk, f.name)
        theirs = getattr(back, f.name)
        if isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, theirs, err_msg=f.name)
        elif f.name not in ("footsteps", "solids"):
            assert mine == theirs, f.name
    assert [s.strike for s in back.footsteps] == [s.strike for s in walk.footsteps]
    np.testing.assert_array_equal(back.solids[3].end, walk.solids[3].end)


def test_file_follows_the_format(walk: Motion, tmp_path: Path) -> None:
    with np.load(save_motion(walk, tmp_path), allow_pickle=False) as file:
        n = walk.frames
        links = len(walk.link_names)
        points = len(walk.contact_names)
        assert str(file["format"]) == "footfall-motion-1"
        assert file["link_inertia"].shape == (links, 3, 3)
        assert file["contact_force"].shape == (n, points, 3)
        assert file["contact_active"].dtype == bool
        assert set(map(str, file["contact_names"])) >= {"foot.L/heel", "foot.L/ball", "foot.L/tip"}
        quaternions = file["link_orientation"]
        np.testing.assert_allclose(np.linalg.norm(quaternions, axis=-1), 1, atol=1e-9)


def test_what_is_missing_is_named(walk: Motion, tmp_path: Path) -> None:
    path = save_motion(walk, tmp_path)
    with np.load(path) as file:
        kept = {key: file[key] for key in file.files if key != "contact_force"}
    np.savez(path, **kept)
    with pytest.raises(MotionError, match="contact_force"):
        load_motion(path)


def test_newer_formats_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", format="footfall-motion-9")
    with pytest.raises(MotionError, match="footfall-motion-9"):
        load_motion(tmp_path / "m.npz")


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_refused(tmp_path: Path, raw: bytes, zipped: bool) -> None:
    path = tmp_path / "m.npz"
    path.write_bytes((b"PK\x03\x04" if zipped else b"") + raw)
    with pytest.raises(MotionError):
        load_motion(path)


def test_cut_short(walk: Motion, tmp_path: Path) -> None:
    path = save_motion(walk, tmp_path)
    whole = path.read_bytes()
    for share in (0.0, 0.2, 0.7, 0.999):
        path.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(MotionError):
            load_motion(path)


def test_arrays_must_fit_together(walk: Motion) -> None:
    with pytest.raises(MotionError, match="contact_force"):
        replace(walk, contact_force=walk.contact_force[:, :2])


def test_picture(walk: Motion, tmp_path: Path) -> None:
    from matplotlib.image import imread

    save_picture(walk, tmp_path / "p.png", FlatGround().sample_heights)
    pixels = imread(tmp_path / "p.png")
    assert pixels.shape[0] > 500
    assert (pixels[..., :3].min(-1) < 0.5).mean() > 0.02, "there is hardly anything in the picture"
    with pytest.raises(MotionError, match="no suffix of a picture format"):
        save_picture(walk, tmp_path / "p.walk", FlatGround().sample_heights)
    with pytest.raises(MotionError, match="nothing to show"):
        save_picture(walk, tmp_path / "p.png", FlatGround().sample_heights, begin=9.0, end=1.0)
