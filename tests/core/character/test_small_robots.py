"""The small robots that are made here: both formats are one body, with MuJoCo's dynamics."""

from __future__ import annotations

import sys
from pathlib import Path

import footfall as ff
import mujoco
import numpy as np
import pytest
from footfall.core.character.character import Character
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character

FORMATS = ("biped.xml", "biped.urdf")


@pytest.fixture(params=FORMATS)
def path(request: pytest.FixtureRequest, root: Path) -> Path:
    return root / "tests" / "data" / "small" / str(request.param)


@pytest.fixture
def robot(path: Path) -> Character:
    return load_character(path)


def test_the_files_are_those_that_the_script_writes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "scripts"))
    import small_data  # type: ignore[import-not-found]

    folder = root / "tests" / "data" / "small"
    assert (folder / "biped.xml").read_text() == small_data.write_mjcf()
    assert (folder / "biped.urdf").read_text() == small_data.write_urdf()
    sys.modules.pop("small_data")


def test_a_robot_has_two_legs_of_four_links_and_flat_feet(robot: Character) -> None:
    assert [(leg.name, leg.side, len(leg.links)) for leg in robot.legs] == [
        ("leg.L", 1, 4),
        ("leg.R", -1, 4),
    ]
    assert robot.head is None
    assert robot.arms == ()
    assert robot.mass == pytest.approx(8 + 2 * (0.8 + 3.0 + 2.0 + 0.7))
    for foot in robot.feet:  # boxes of 22 cm
        assert not foot.is_point
        assert np.linalg.norm(foot.tip - foot.heel) == pytest.approx(0.22, abs=0.01)
    # legs of 0.03 + 0.4 + 0.4 + 0.06 m, with bent knees
    assert 0.75 < robot.hip_height < 0.89
    assert robot.hip_half_width == pytest.approx(0.1)


def test_both_formats_are_the_same_robot(root: Path) -> None:
    one, other = (
        KinematicModel(load_character(root / "tests" / "data" / "small" / name)) for name in FORMATS
    )
    assert one.character.link_names() == other.character.link_names()
    np.testing.assert_allclose(one.link_mass, other.link_mass, rtol=1e-6)
    np.testing.assert_allclose(one.link_inertia, other.link_inertia, atol=1e-6)
    np.testing.assert_allclose(one.neutral, other.neutral, atol=1e-4)


def test_inertias_and_center_of_mass_are_mujocos(path: Path, robot: Character) -> None:
    spec = mujoco.MjSpec.from_file(str(path))
    if path.suffix == ".urdf":
        spec.compiler.fusestatic = False
    reference = spec.compile()
    model = KinematicModel(robot)
    for k, link in enumerate(robot.links):
        body = reference.body(link.name)
        assert model.link_mass[k] == pytest.approx(body.mass[0], rel=1e-6)
        np.testing.assert_allclose(
            np.sort(np.linalg.eigvalsh(model.link_inertia[k])), np.sort(body.inertia), rtol=1e-4
        )


def test_a_robot_walks_as_planned(path: Path) -> None:
    task = ff.Task(
        ff.Path([[0, 0], [6, 0]]), ff.SpeedProfile(0.6), character=str(path), seconds=3, fps=30
    )
    figures = ff.measure(ff.generate(task))
    assert figures.drift_m < 1e-3
    assert figures.penetration_m < 1e-3
    assert figures.momentum_residual < 0.05
    assert figures.speed_error < 0.1
