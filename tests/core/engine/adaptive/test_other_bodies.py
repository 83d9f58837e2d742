"""The controllers on bodies of other proportions than that of their search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from footfall.core.character.character import Character
from footfall.core.character.load import load_character
from footfall.core.engine.adaptive.biped import Biped, scale_to_reference
from footfall.core.engine.adaptive.biped_model import build_biped_model
from footfall.core.engine.adaptive.evaluation import find_body
from footfall.core.engine.adaptive.external_forces import ExternalForces
from footfall.core.engine.adaptive.parameters import GaitParameters
from footfall.core.engine.adaptive.planner import Goal, HalfCycleTiming
from footfall.core.engine.adaptive.shipped import fit_gaits, load_shipped_gaits
from footfall.core.engine.adaptive.speeds import REFERENCE_LENGTH
from footfall.core.engine.adaptive.start import Start
from footfall.core.engine.adaptive.trained_body import TRAINED, measure_size
from footfall.core.engine.adaptive.upper_limbs import (
    UPPER_LIMBS,
    find_joint_spring,
    find_level_share,
    find_rest_angles,
)
from footfall.core.engine.adaptive.walker import TorqueWalker
from footfall.core.geometry import so3


def _walk(body: Biped, gaits: dict[str, GaitParameters]) -> TorqueWalker:
    """Return the walker at the end of ten steps on a plane, or where it falls."""
    heading = Goal(0.0, 0.0, 0.6)
    model = build_biped_model(body, None, HalfCycleTiming().substep)
    walker = TorqueWalker(
        model,
        gaits["forward"].first,
        None,
        lambda walker: heading,
        timing=HalfCycleTiming(),
        forces=ExternalForces(),
    )
    walker.begin(Start(1.3, sway=0.18, stride=0.6))
    walker.walk(10)
    return walker


def _with_hips_apart(character: Character, distance: float) -> Character:
    """Return a character with its hips further apart [m]."""
    hips = {leg.links[0]: leg.side for leg in character.legs}
    links = tuple(
        replace(
            link, offset=(link.offset[0], link.offset[1] + 0.5 * distance * hips[k], link.offset[2])
        )
        if k in hips
        else link
        for k, link in enumerate(character.links)
    )
    return replace(character, links=links)


def _with_large_head(character: Character, scale: float) -> Character:
    """Return a character with a head whose solids are larger."""
    assert character.head is not None
    head = character.links[character.head]
    shapes = tuple(
        replace(
            shape,
            start=tuple(scale * x for x in shape.start),
            end=tuple(scale * x for x in shape.end),
            radii=tuple(scale * r for r in shape.radii),
        )
        for shape in head.shapes
    )
    links = list(character.links)
    links[character.head] = replace(head, shapes=shapes)
    return replace(character, links=tuple(links))


def test_the_trained_body_is_the_humanoid() -> None:
    character = load_character("humanoid")
    scaled = scale_to_reference(character)
    body = scaled.biped
    assert measure_size(character) == character.leg_length
    assert scaled.length == character.leg_length / REFERENCE_LENGTH
    left, right = (leg.foot.joint[1] for leg in body.legs)
    assert 0.5 * (left - right) == pytest.approx(TRAINED.half_stance_width, abs=1e-6)
    assert body.forward_offset == 0
    gaits = load_shipped_gaits()
    assert fit_gaits(gaits, body) == gaits
    head = next(limb for limb in body.upper_limbs if limb.name == "head")
    assert find_joint_spring(head, 0) == UPPER_LIMBS.neck


def test_bodies_are_scaled_by_the_height_of_their_centers_of_mass() -> None:
    character = load_character("humanoid")
    large = _with_large_head(character, 1.8)
    scaled = scale_to_reference(large)
    assert scaled.biped.legs[0].thigh.joint[2] < REFERENCE_LENGTH - 0.05
    model = build_biped_model(scaled.biped, None, HalfCycleTiming().substep).mujoco
    centers = model.body_ipos[1:]
    assert len(centers) == model.nbody - 1
    parts = [scaled.biped.upper_body, scaled.biped.pelvis]
    parts += [part for leg in scaled.biped.legs for part in leg.parts]
    height = sum(part.mass * part.center[2] for part in parts) / scaled.biped.mass
    assert height == pytest.approx(TRAINED.height_share * REFERENCE_LENGTH, abs=1e-3)
    head = next(limb for limb in scaled.biped.upper_limbs if limb.name == "head")
    assert find_joint_spring(head, 0).stiffness > 2 * UPPER_LIMBS.neck.stiffness


def test_a_body_with_wide_hips_walks_on_the_track_of_the_search() -> None:
    body = scale_to_reference(_with_hips_apart(load_character("humanoid"), 0.1)).biped
    walker = _walk(body, fit_gaits(load_shipped_gaits(), body))
    assert not walker.has_fallen
    feet = walker.data.xpos[list(walker.model.feet)]
    assert abs(feet[0, 1] - feet[1, 1]) < 2 * TRAINED.half_stance_width


def test_large_feet_are_under_the_center_of_mass() -> None:
    body = find_body("humanoid")
    sole = replace(body.sole, heel=body.sole.heel - 0.01, tip=body.sole.tip + 0.08)
    large = replace(body, sole=sole)
    assert large.forward_offset == pytest.approx(0.035, abs=1e-4)
    assert not _walk(large, load_shipped_gaits()).has_fallen


@pytest.mark.parametrize("is_fitted", [False, True])
def test_turns_of_the_body_are_as_stiff_as_its_inertia_allows(is_fitted: bool) -> None:
    body = find_body("humanoid")
    gaits = load_shipped_gaits()
    slender = replace(
        body, upper_body=replace(body.upper_body, inertia=0.4 * body.upper_body.inertia)
    )
    chosen = fit_gaits(gaits, slender) if is_fitted else gaits
    assert _walk(slender, chosen).has_fallen == (not is_fitted)


def test_light_legs_have_softer_coefficients() -> None:
    body = find_body("humanoid")
    legs = tuple(
        replace(leg, thigh=replace(leg.thigh, mass=0.5 * leg.thigh.mass)) for leg in body.legs
    )
    light = replace(body, legs=(legs[0], legs[1]))
    share = light.leg_mass / TRAINED.leg_mass
    fitted = fit_gaits(load_shipped_gaits(), light)["forward"].first
    whole = load_shipped_gaits()["forward"].first
    assert share < 0.7
    assert fitted.ankle_damping == pytest.approx(share * whole.ankle_damping)
    assert fitted.body_damping == whole.body_damping
    assert np.isclose(fitted.sole_stiffness, share * whole.sole_stiffness)


def test_a_body_with_a_large_head_walks() -> None:
    body = scale_to_reference(_with_large_head(load_character("humanoid"), 2.4)).biped
    gaits = fit_gaits(load_shipped_gaits(), body)
    share = body.leg_length / REFERENCE_LENGTH
    assert share < 0.75
    whole = load_shipped_gaits()["forward"].first
    assert gaits["forward"].first.swing_height_2 == pytest.approx(
        share * whole.swing_height_2, rel=1e-4
    )
    assert not _walk(body, gaits).has_fallen


def test_large_heads_follow_their_trunks() -> None:
    """A head that stays level takes its inertia away from the controller of the trunk."""
    shares = []
    for scale in (1.0, 2.0):
        body = scale_to_reference(_with_large_head(load_character("humanoid"), scale)).biped
        head = next(limb for limb in body.upper_limbs if limb.name == "head")
        shares.append(find_level_share(head))
        tilt = so3.rotation_about("y", 0.1)
        legs = np.array([[0.0, 0.0, -1.0]] * 2)
        angles = find_rest_angles((head,), tilt, legs, facing=0.0, styled=None)
        assert angles == pytest.approx([0.0, -0.1 * shares[-1], 0.0], abs=1e-9)
    assert shares[0] == 1.0
    assert 0.05 < shares[1] < 0.3


def test_broad_feet_pass_each_other() -> None:
    character = load_character("humanoid")
    scale = scale_to_reference(character).length
    limbs = tuple(
        limb
        if limb.foot is None
        else replace(limb, foot=replace(limb.foot, half_width=0.12 * scale))
        for limb in character.limbs
    )
    body = scale_to_reference(replace(character, limbs=limbs)).biped
    assert body.sole.half_width == pytest.approx(0.12)
    assert body.half_stance_width == pytest.approx(0.165)
    walker = _walk(body, fit_gaits(load_shipped_gaits(), body))
    assert not walker.has_fallen
    feet = walker.data.xpos[list(walker.model.feet)]
    assert abs(feet[0, 1] - feet[1, 1]) > 2 * body.sole.half_width
    assert find_body("humanoid").half_stance_width == TRAINED.half_stance_width
