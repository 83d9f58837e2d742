"""Constraints and drivers that act on top of the keys of a bake: which there are, and how far they keep a body from its plan."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.geometry import so3
from ..animation.action_builder import CHANNELS, bone_of
from ..text import listed

Array = NDArray[np.float64]

FRAMES = 40               # that are looked at, at most
AWAY, TURNED = 1e-3, np.radians(0.5)      # m and rad, from which on a bone is off its plan
SHARE = 0.1               # of these, from which on a bone is off its place on the bone above and so counts as the cause


@dataclass(frozen=True)
class Acting:
    """A constraint, or a driver of a channel, and the bones that it may move."""

    told: str
    moves: frozenset[str]


def acting_on(armature: bpy.types.Object, bones: Iterable[str]) -> list[Acting]:
    """What acts on some bones: neither muted, nor without influence, nor without anything to follow."""
    names, out = set(bones), []
    for bone in armature.pose.bones:
        for constraint in bone.constraints:
            moved = names & {b.name for b in _chain(bone, constraint)}
            if moved and not constraint.mute and constraint.influence > 0 and constraint.is_valid:
                out.append(Acting(f"the constraint {constraint.name!r} of {bone.name!r}", frozenset(moved)))
    for curve in armature.animation_data.drivers if armature.animation_data else ():
        name, channel = bone_of(curve.data_path), curve.data_path.rpartition(".")[2]
        if name in names and channel in CHANNELS and not curve.mute:
            axis = "XYZ"[curve.array_index] if channel in ("location", "rotation_euler", "scale") else "WXYZ"[curve.array_index]
            out.append(Acting(f"the driver of {name!r} ({channel.partition('_')[0]} {axis})", frozenset({name})))
    return out


def _chain(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> list[bpy.types.PoseBone]:
    """The bones that a constraint moves: those of inverse kinematics move bones above as well."""
    above = bone.parent_recursive
    if constraint.type == "SPLINE_IK":
        return [bone, *above[:constraint.chain_count - 1]]
    if constraint.type != "IK":
        return [bone]
    chain = [bone, *above[:constraint.chain_count - 1]] if constraint.chain_count else [bone, *above]
    return chain if constraint.use_tail else chain[1:]


def told_of(acting: Sequence[Acting], most: int = 3) -> str:
    """Their names."""
    return listed([a.told for a in acting], most)


@dataclass(frozen=True)
class Planned:
    """Where bones should be after a bake, in the armature's space.

    Args:
        turn: (n or 1, 3, 3) orientation by bone.
        head: (n or 1, 3) place of its head.
        size: m in one of the armature's units.
        along: compare where bones point alone, on rigs that spread a limb's twist over its bones in their own way.
    """

    turn: Mapping[str, Array]
    head: Mapping[str, Array]
    size: float
    along: bool = False

    def at(self, which: NDArray[np.bool_]) -> Planned:
        """The same in some of its frames (n,)."""
        turn, head = ({name: v[which] if len(v) > 1 else v for name, v in values.items()} for values in (self.turn, self.head))
        return replace(self, turn=turn, head=head)


@dataclass(frozen=True)
class Off:
    """How far a bone is from its plan at most, and from how it should be on the bone above it; rad and m."""

    turned: float
    away: float
    turned_above: float
    away_above: float

    @property
    def far(self) -> bool:
        """Whether that is more than a viewer should bear."""
        return self.turned > TURNED or self.away > AWAY

    @property
    def cause(self) -> bool:
        """Whether the bone itself is held, and not only one above it."""
        return self.turned_above > SHARE * TURNED or self.away_above > SHARE * AWAY

    def text(self) -> str:
        """In words."""
        return f"{np.degrees(self.turned):.1f}° and {self.away * 1000:.0f} mm"


def look(armature: bpy.types.Object, planned: Planned, frames: Array) -> dict[str, Off]:
    """Play an action and see how far its bones are from where they should be."""
    scene, names = bpy.context.scene, list(planned.turn)
    now, chosen = (scene.frame_current, scene.frame_subframe), np.unique(np.linspace(0, len(frames) - 1, FRAMES).astype(int))
    seen = np.empty((len(chosen), len(names), 4, 4))
    try:
        for k, frame in enumerate(frames[chosen]):
            scene.frame_set(int(frame))
            seen[k] = np.array([armature.pose.bones[name].matrix for name in names])
    finally:
        scene.frame_set(now[0], subframe=now[1])
    turns = {name: seen[:, b, :3, :3] / np.linalg.norm(seen[:, b, :3, :3], axis=1, keepdims=True) for b, name in enumerate(names)}
    heads = {name: seen[:, b, :3, 3] for b, name in enumerate(names)}
    wished_turn, wished_head = ({name: values[name][chosen] if len(values[name]) > 1 else values[name] for name in names}
                                for values in (planned.turn, planned.head))
    out = {}
    for name in names:
        up = next((b.name for b in armature.pose.bones[name].parent_recursive if b.name in planned.turn), "")
        whole = (turns[name], wished_turn[name], heads[name] - wished_head[name])
        above = whole
        if up:
            there, wished = np.swapaxes(turns[up], 1, 2), np.swapaxes(wished_turn[up], 1, 2)
            above = (there @ turns[name], wished @ wished_turn[name],
                     _carried(there, heads[name] - heads[up]) - _carried(wished, wished_head[name] - wished_head[up]))
        out[name] = Off(_angle(*whole[:2], planned.along), _length(whole[2]) * planned.size,
                        _angle(*above[:2], planned.along), _length(above[2]) * planned.size)
    return out


def _carried(turns: Array, steps: Array) -> Array:
    moved: Array = (turns @ steps[..., None])[..., 0]
    return moved


def _length(steps: Array) -> float:
    return float(np.linalg.norm(steps, axis=-1).max())


def _angle(a: Array, b: Array, along: bool) -> float:
    if along:
        return float(np.arccos(np.clip((a[:, :, 1] * b[:, :, 1]).sum(1), -1, 1)).max())
    return float(np.linalg.norm(so3.log(a @ np.swapaxes(b, 1, 2)), axis=-1).max())


def told_off(armature: bpy.types.Object, acting: Sequence[Acting], planned: Planned, frames: Array,
             spread: bool = False) -> tuple[list[str], list[str]]:
    """What a user should know of all that acts on top of the keys: what keeps the body from its plan, and what does not.

    Args:
        spread: what acts is on other bones than those that are planned, as on control rigs: it cannot be told apart by looking at
            these, and the keys that were found with it are of no use without.
    """
    if not acting:
        return [], []
    if not armature.visible_get():                # Blender works out no pose of what is hidden
        return [f"{told_of(acting)} may keep the body from its plan; show the armature and generate again to know"], []
    off = look(armature, planned, frames)
    far = {name: o for name, o in off.items() if o.far}
    causes = {name for name, o in off.items() if o.cause}
    causes |= {b.name for name in causes for b in armature.pose.bones[name].parent_recursive[:1]}       # it may scale what is below
    guilty = [a for a in acting if far and (spread or a.moves & causes)]
    if not guilty:
        return [], [f"{told_of(acting)} leave{'' if len(acting) > 1 else 's'} this motion as planned"]
    worst = max(far, key=lambda name: far[name].turned + far[name].away / AWAY * TURNED)
    its, it, acts = ("its", "it", "acts") if len(guilty) == 1 else ("their", "them", "act")
    return [f"{told_of(guilty)} {acts} on top of the keys: {worst!r} is up to {far[worst].text()} off the plan. Mute {it}, or set "
            f"{its} influence to 0, {'and generate again' if spread else 'to see the plan'}"], []
