"""Legs of a single link, as of toys, which cannot become shorter."""

from __future__ import annotations

from pathlib import Path as FilePath

import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.fullbody.objective import build_hinge_limits
from footfall.core.fullbody.weights import BodyWeights
from footfall.core.scripting import measure
from footfall.core.task import Path, SpeedProfile, Task

LEG = """
[[limb]]
name = "{name}"
row = {row}
parent = "body"
foot = {{ contact = [{x}, 0.1, 0], radius = 0.01 }}

[[limb.link]]
name = "{name}_leg"
joint = "{name}_hip"
at = [{x}, 0.1, 0.2]
hinges = [{{ axis = "y", range = [-60, 60] }}, {{ axis = "x", range = [-40, 40] }}]
solids = [{{ from = [{x}, 0.1, 0.2], to = [{x}, 0.1, 0.01], radius = 0.01 }}]
"""
BODY = """
mass = 3.0

[[link]]
name = "body"
at = [0, 0, 0.2]
solids = [{ kind = "box", from = [-0.2, 0, 0.2], to = [0.2, 0, 0.2], radii = [0.08, 0.03] }]
"""


@pytest.fixture
def toy(tmp_path: FilePath) -> FilePath:
    """Return the file of a body on four stiff legs."""
    rear = LEG.format(name="rear", row=0, x=-0.18)
    front = LEG.format(name="front", row=1, x=0.18)
    path = tmp_path / "toy.toml"
    path.write_text(BODY + rear + front, encoding="utf-8")
    return path


def test_limbs_without_knees_have_no_limits_of_knees(toy: FilePath) -> None:
    character = load_character(str(toy))
    assert [leg.lower_link for leg in character.legs] == [None] * 4
    assert load_character("dog").legs[0].lower_link is not None
    limits = build_hinge_limits(KinematicModel(character), BodyWeights(), False)
    assert len(limits.bound) == 2 * 2 * 4


def test_a_body_on_legs_without_knees_walks(toy: FilePath) -> None:
    task = Task(Path([[0, 0], [2, 0]]), SpeedProfile(0.2), seconds=2.0, character=str(toy))
    motion = generate(task)
    assert motion.com[-1, 0] - motion.com[0, 0] == pytest.approx(0.4, abs=0.05)
    measures = measure(motion)
    assert measures.drift_m < 0.002
    assert measures.penetration_m < 0.01
