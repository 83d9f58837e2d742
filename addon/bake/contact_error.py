"""Where soles and hands touch, as an armature plays its action: how far fewer keys move them."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.motion import Motion
from ..animation.action_builder import NewAction
from ..animation.actions import Part
from ..animation.sampling import played_apart, poses_of
from ..units import unit_scale
from .bone_filter import foot_links
from .options import Options
from .root_motion import way_of

Array = NDArray[np.float64]
GIVES = 0.1               # share of its way from the last contact, or to the next, by which a foot in the air may be off


class Soles:
    """Points of a motion that touch, each fixed to a bone.

    Args:
        placement: (4, 4) from the armature's space to the motion's.
        root: what carries the way, one of `root_motion.WAYS`.
    """

    def __init__(self, armature: bpy.types.Object, motion: Motion, binding: Binding, placement: Array, root: str) -> None:
        self.armature, self.motion, self.binding, self.placement, self.root = armature, motion, binding, placement, root
        self.stands = np.array(armature.matrix_world)                     # before the bake moves it

    def bones(self) -> list[str]:
        """The bone that each point is fixed to. (c,)."""
        out = []
        for link, name in zip(foot_links(self.motion), self.motion.contact_names, strict=True):
            own = [b for b in range(len(self.binding.bones)) if self.binding.link[b] == link]
            own.sort(key=lambda b: (self.binding.toe_of[b] >= 0) != name.endswith("/tip"))       # a toe's tip first, a foot's last
            out.append(self.binding.bones[own[0]] if own else self.binding.bones[0])
        return out

    def points(self) -> Array:
        """Where they are in Blender's world, as planned. (n, c, 3)."""
        back = np.linalg.inv(self.placement)
        at = self.motion.contact_position @ back[:3, :3].T + back[:3, 3]
        if self.root == "PLACE":
            way = np.linalg.inv(way_of(self.armature, self.motion, self.binding, self.placement))
            at = (way[:, None, :3, :3] @ at[..., None])[..., 0] + way[:, None, :3, 3]
        return np.asarray(at @ self.stands[:3, :3].T + self.stands[:3, 3])

    def limits(self, options: Options, inside: NDArray[np.bool_]) -> Array:
        """How far each point may be off in each frame, m: hardly while it touches, more the farther from that it is. (n, c)."""
        active, at = self.motion.contact_active[inside], self.motion.contact_position[inside]
        out = np.full(active.shape, np.inf)
        for c in range(active.shape[1]):
            touching = np.flatnonzero(active[:, c])
            if len(touching):
                place = np.searchsorted(touching, np.arange(len(at)))
                near = touching[np.clip(np.stack([place - 1, place]), 0, len(touching) - 1)]             # (2, n)
                out[:, c] = np.linalg.norm(at[near, c] - at[:, c], axis=-1).min(0)
        # a contact moves by twice that at most, from one side to the other
        return np.minimum(0.5 * options.feet + np.where(active, 0.0, GIVES * out), max(options.body, 0.5 * options.feet))


class Measured:
    """The soles of an action on a double of its armature, whose curves may be changed. `limits` (n, c) as of `Soles.limits`."""

    def __init__(self, soles: Soles, stage: bpy.types.Scene, double: bpy.types.Object, frames: Array, inside: NDArray[np.bool_],
                 limits: Array) -> None:
        self.stage, self.double, self.frames, self.limits = stage, double, frames, limits
        self.scale, self.bones = unit_scale(bpy.context.scene), soles.bones()
        self.names = list(dict.fromkeys(self.bones))
        self.of = [self.names.index(name) for name in self.bones]
        poses, _ = poses_of(stage, double, self.names, frames)
        self.planned = soles.points()[inside]
        self.local = np.linalg.inv(poses[:, self.of]) @ _homogeneous(self.planned)[..., None]

    def over(self, times: Array) -> Array:
        """How far each point is off at times (m,) in frames from the first one, against its limit: above 1 is too far. (m, c)."""
        self.double.animation_data.action.update_tag()
        poses, _ = poses_of(self.stage, self.double, self.names, self.frames[0] + times)
        low, share = np.floor(times).astype(int), (times % 1)[:, None]
        high = np.minimum(low + 1, len(self.frames) - 1)
        wished = (1 - share[..., None]) * self.planned[low] + share[..., None] * self.planned[high]
        # between frames only what touches on both sides is looked at: a foot in the air goes along arcs there
        firm = self.limits.min()
        both = np.maximum(self.limits[low], self.limits[high])
        limit = np.where(share == 0, self.limits[low], np.where(both > firm, np.inf, both))
        local = (1 - share[..., None, None]) * self.local[low] + share[..., None, None] * self.local[high]
        seen = (poses[:, self.of] @ local)[..., :3, 0]
        return np.asarray(self.scale * np.linalg.norm(seen - wished, axis=-1) / limit)


@contextmanager
def measured(soles: Soles, new: NewAction, frames: Array, inside: NDArray[np.bool_], limits: Array) -> Iterator[Measured]:
    """The soles as an action that was just written moves them, apart from the user's scene."""
    slot = -1 if new.slot is None else [slot.handle for slot in new.action.slots].index(new.slot.handle)
    part = Part(slot, frozenset(), float(frames[0]), float(frames[-1]))
    with played_apart(new.action, soles.armature, part) as (stage, double):
        yield Measured(soles, stage, double, frames, inside, limits)


def _homogeneous(points: Array) -> Array:
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)
