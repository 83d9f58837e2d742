"""The demo's moving picture: small enough for a page, and six seconds long."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image


def _length(path: Path) -> float:
    """Return the duration of a moving picture [s]."""
    milliseconds = 0
    with Image.open(path) as picture:
        for k in range(picture.n_frames):
            picture.seek(k)
            picture.load()
            milliseconds += picture.info["duration"]
    return milliseconds / 1000


def test_movie_in_the_documents(root: Path) -> None:
    path = root / "docs" / "pictures" / "walk.webp"
    assert path.stat().st_size <= 3_000_000
    assert _length(path) == pytest.approx(6.0, abs=0.5)
    with Image.open(path) as picture:
        assert picture.width == 800
        assert picture.n_frames >= 60


def test_movie_is_as_small_as_it_must_be(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "demo"))
    movie = pytest.importorskip("movie")
    rng = np.random.default_rng(0)
    pictures = [
        Image.fromarray(rng.integers(0, 256, (120, 160, 3), np.uint8)) for _ in range(movie.RATE)
    ]
    movie.save_movie(pictures, tmp_path / "best.webp")
    best = (tmp_path / "best.webp").stat().st_size
    monkeypatch.setattr(movie, "LARGEST", int(0.8 * best))
    movie.save_movie(pictures, tmp_path / "small.webp")
    assert (tmp_path / "small.webp").stat().st_size <= 0.8 * best
    assert _length(tmp_path / "small.webp") == pytest.approx(1.0, abs=1e-3)
    for name in ("landscape", "movie", "studio", "trail"):  # the demo's modules are no package
        sys.modules.pop(name, None)


def test_camera_holds_the_whole_path_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "demo"))
    movie = pytest.importorskip("movie")
    assert movie.shot_at(0.0) == movie.WHOLE_PATH
    assert (movie.shot_at(movie.SECONDS).target - movie.WALK_ENDS.target).length < 1e-6
    far = [movie.shot_at(t).away.length for t in np.arange(0.0, movie.SECONDS, 0.1)]
    assert np.diff(far).max() < 1e-6
    for name in ("landscape", "movie", "studio", "trail"):
        sys.modules.pop(name, None)
