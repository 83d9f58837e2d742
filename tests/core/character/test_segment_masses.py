"""Masses of the built-in humanoid's parts against measured ones of young men."""

from __future__ import annotations

import pytest
from footfall.core.character.kinematic_model import KinematicModel
from footfall.core.character.load import load_builtin

# de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, Journal of Biomechanics
# 1996, table 4, males: share of the mass of the body [%], and the links that make up a part
MEASURED = {
    "head and neck": (6.94, ("head",)),
    "trunk": (43.46, ("pelvis", "chest")),
    "upper arm": (2.71, ("upper_arm.L",)),
    "forearm and hand": (2.23, ("forearm.L",)),
    "thigh": (14.16, ("thigh.L",)),
    "shank": (4.33, ("shin.L",)),
    "foot": (1.37, ("foot.L",)),
}


@pytest.mark.parametrize("part", MEASURED)
def test_parts_have_the_masses_of_peoples(part: str) -> None:
    measured, links = MEASURED[part]
    body = load_builtin("humanoid")
    masses = dict(zip(body.link_names(), KinematicModel(body).link_mass, strict=True))
    share = 100 * sum(masses[link] for link in links) / body.mass
    assert share == pytest.approx(measured, rel=0.15)
