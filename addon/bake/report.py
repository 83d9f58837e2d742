"""A planned motion onto its character, and what is told of it."""
from __future__ import annotations

from dataclasses import dataclass

import bpy

from ...core.errors import CharacterError
from ...core.motion import Motion
from ..scene.task import Asked
from ..units import unit_scale
from .history import bake_onto
from .stored_plan import Planned

MOST_TOLD = 2          # stretches that gave way, that one message tells of


@dataclass(frozen=True)
class Finished:
    """What the user is told of a bake; `warns` where something may show."""

    text: str
    warns: bool


def finish(scene: bpy.types.Scene, asked: Asked, motion: Motion) -> Finished:
    """Bake a motion onto the character that it was asked for, with its plan.

    Raises:
        CharacterError: the character is no longer there.
    """
    armature = scene.objects.get(asked.armature)
    if armature is None or armature.type != "ARMATURE":
        raise CharacterError(f"The armature {asked.armature!r} is no longer in the scene, so there was nothing to bake onto.")
    planned = Planned(asked.task, motion, asked.placement, asked.first_frame, asked.way, asked.style)
    wish = scene.footfall_bake
    baked, kept = bake_onto(armature, planned, asked.rig.binding, wish.options(armature, unit_scale(scene)), again=wish.replace)
    notes = [*([kept] if kept else []), *baked.warnings, *asked.notes]
    notes += [note for note in motion.report.notes if note not in asked.rig.character.notes]
    notes += [e.text() for e in motion.report.eased[:MOST_TOLD]]
    if len(motion.report.eased) > MOST_TOLD:
        notes.append(f"something gave way in {100 * float(motion.relaxed.mean()):.0f} % of all frames")
    told = [f"{baked.action.name}: {baked.frames} frames on {baked.bones} bones, planned in {motion.report.seconds['total']:.1f} s"]
    return Finished("; ".join([*told, *baked.asides, *notes]), bool(notes))
