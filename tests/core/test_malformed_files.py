"""Malformed files of every kind: each is read, or refused with a message of one line, in time."""

from __future__ import annotations

import os
import signal
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from footfall.core.character.load import load_character
from footfall.core.cli import main
from footfall.core.engine.adaptive.movement_choice import CONTROLLERS_FOLDER
from footfall.core.engine.learned.weights_file import save_network
from footfall.core.errors import FootfallError
from footfall.core.motion import save_motion
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import (
    SUFFIXES,
    WRITERS,
    draw_file,
    make_small_motion,
    make_small_network,
    read_any,
)

MAX_SECONDS = 2.0  # of the processor
MAX_BYTES = 100e6  # allocated at once
HANG_SECONDS = 20


@contextmanager
def _interrupting_hangs() -> Iterator[None]:
    """Interrupt reading that waits for a pipe."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise TimeoutError("the file was not read in time")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(HANG_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _list_valid_files(kind: str, folder: Path) -> list[Path]:
    """Valid files that the malformed ones are made of."""
    root = Path(__file__).resolve().parents[2]
    small = root / "tests" / "data" / "small"
    if kind == "motion":
        return [save_motion(make_small_motion(), folder)]
    if kind == "network":
        save_network(make_small_network(), folder / "network.npz")
        return [folder / "network.npz"]
    return {
        "body": sorted((root / "core" / "character" / "bodies").glob("*.toml")),
        "style": sorted((root / "core" / "clip" / "styles").glob("*.toml"))
        + sorted((root / "core" / "clip" / "quadrupeds").glob("[!n]*.toml")),
        "clip": [small / "walk.bvh"],
        "mjcf": [small / "biped.xml"],
        "urdf": [small / "biped.urdf"],
        "controller": sorted(CONTROLLERS_FOLDER.glob("*.json")),
        "task": [root / "tests" / "data" / "earlier" / "task.toml"],
    }[kind]


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_valid_files_are_read(kind: str, tmp_path: Path) -> None:
    files = _list_valid_files(kind, tmp_path)
    assert files
    for file in files:
        read_any(kind, file)


@pytest.mark.parametrize("kind", sorted(WRITERS))
@pytest.mark.filterwarnings("ignore")
def test_malformed_files_are_read_or_refused(kind: str) -> None:
    messages = []

    @settings(max_examples=60)
    @given(st.randoms(use_true_random=True))
    def check(random: Random) -> None:
        with TemporaryDirectory() as folder:
            path = draw_file(kind, random, Path(folder))
            start = time.process_time()
            tracemalloc.start()
            try:
                with _interrupting_hangs():
                    read_any(kind, path)
            except FootfallError as error:
                messages.append(str(error))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            # tracing takes three times as long
            assert time.process_time() - start < 3 * MAX_SECONDS
            assert peak < MAX_BYTES

    check()
    assert len(messages) > 20
    assert all("\n" not in message and len(message) < 1000 for message in messages)
    assert all("pickle" not in message for message in messages)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("body", "mass = 1" + "0" * 400),
        ("style", "[set]\nstride = 3"),
        ("clip", "HIERARCHY\n"),
        ("mjcf", "<mujoco>\n<include file='/etc/passwd'/></mujoco>"),
        ("urdf", "<robot>\n"),
        ("task", "footfall_task = 1\nseed = 1" + "0" * 400),
        ("motion", "PK\n"),
    ],
)
def test_the_command_ends_with_a_line_and_status_2(
    kind: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"file{SUFFIXES[kind]}"
    path.write_text(text)
    out = str(tmp_path / "out")
    arguments = {
        "task": ["generate", str(path), "--out", out],
        "motion": ["plot", str(path), "--out", out + ".png"],
        "style": ["style", str(path)],
        "clip": ["style", str(path)],
    }.get(kind, ["run", "humanoid-walk", "--character", str(path), "--out", out])
    assert main(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert path.stem in lines[0]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["/etc/passwd", "../outside.xml", "pipe.xml", "robot.xml", "a\\b"])
def test_robots_include_only_files_of_their_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "outside.xml").write_text("<mujoco/>")
    folder = tmp_path / "robot"
    folder.mkdir()
    path = folder / "robot.xml"
    os.mkfifo(folder / "pipe.xml")
    path.write_text(f"<mujoco><include file='{name}'/></mujoco>")
    with (
        pytest.raises(FootfallError, match=r"robot\.xml|cannot be opened"),
        _interrupting_hangs(),
    ):
        read_any("mjcf", path)


def test_an_included_file_stands_in_its_place(root: Path, tmp_path: Path) -> None:
    """A robot in two files is the robot in one."""
    text = (root / "tests" / "data" / "small" / "biped.xml").read_text()
    begin, end = text.index("<worldbody>"), text.index("</worldbody>") + len("</worldbody>")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "body.xml").write_text(f"<mujoco>{text[begin:end]}</mujoco>")
    joined = text[:begin] + '<include file="parts/body.xml"/>' + text[end:]
    (tmp_path / "biped.xml").write_text(joined)
    whole = load_character(root / "tests" / "data" / "small" / "biped.xml")
    parted = load_character(tmp_path / "biped.xml")
    assert parted.link_names() == whole.link_names()
    assert parted.hip_height == pytest.approx(whole.hip_height)
