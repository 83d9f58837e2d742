"""What was there around a bake: keys before and after its frames go on, and its ends are blended into them."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import CHANNELS, Drawn, NewAction, Place, bone_of
from ..animation.keyframes import CONSTANT, LINEAR, Keys, joined, read_keys, some_of, straight
from ..animation.rotations import MODES, channels, turned_between, turns_of
from .options import Options

Array = NDArray[np.float64]
NEAR = 1e-3               # rad, within which two ways to write a rotation are one
FAR = 1.0                 # rad, from which on a rotation that goes on is written in another way


class Around:
    """The curves of the action there is, and the frames of the scene that the bake takes; `goes_on` tells whether the former go on
    before and after."""

    def __init__(self, armature: bpy.types.Object, curves: Iterable[Any], options: Options, frames: Array) -> None:
        self.armature = armature
        self.curves: Mapping[Place, Any] = {(c.data_path, c.array_index): c for c in curves if not c.mute}
        first, last = options.span or (int(frames[0]), int(frames[-1]))
        self.frames = frames[(frames >= first) & (frames <= last)]
        self.inside = (frames >= first) & (frames <= last)
        # a strip has blends of its own, which go over to what is below by the number: then the numbers must be near
        self.strip = options.into == "STRIP" and bool(options.blend_in or options.blend_out)
        most = 0 if options.into == "STRIP" else len(self.frames) - 1
        self.ins, self.outs, self.begins = min(options.blend_in, most), min(options.blend_out, most), bool(options.blend_in)
        # around a strip plays what is below
        self.goes_on = options.into != "STRIP" and (options.span is not None or not options.whole)

    @property
    def share(self) -> Array:
        """How much of each frame is the bake's. (n,)."""
        out = np.ones(len(self.frames))
        if self.ins:
            out *= _smooth(np.arange(len(out)) / self.ins)
        if self.outs:
            out *= _smooth(np.arange(len(out))[::-1] / self.outs)
        return out

    def fit(self, new: NewAction, stays: Iterable[Place]) -> None:
        """Cut what was drawn to the frames, blend its ends and hang it between what goes on.

        Args:
            stays: curves that were there and that must not act while the bake does.
        """
        for path, channel in stays:
            curve = self.curves.get((path, channel))
            if self.goes_on and curve is not None and not new.has(path, channel):
                group = curve.group.name if curve.group else bone_of(path)
                new.drawn[path, channel] = Drawn(group, self.frames[:1], np.array([self._now(path, channel)]))
        for path in dict.fromkeys(path for path, _ in new.drawn):
            at = [place for place in new.drawn if place[0] == path]
            self._fit(path, at, [new.drawn[place] for place in at])

    def _fit(self, path: str, places: list[Place], drawn: list[Drawn]) -> None:
        values = np.column_stack([d.values[self.inside] if len(d.values) > 1 else np.full(len(self.frames), d.values[0])
                                  for d in drawn])
        if self.strip and self._mode(path, len(places)) == "QUATERNION":
            at = 0 if self.begins else -1
            there = np.array([self._was(place, self.frames[[at]])[0] for place in places])
            values = values * (-1.0 if values[at] @ there < 0 else 1.0)
        if self.goes_on or self.ins or self.outs:
            # one frame more on either side, where what was there is alone again
            seen = np.concatenate([[self.frames[0] - 1], self.frames, [self.frames[-1] + 1]])
            was = np.column_stack([self._was(place, seen) for place in places])
            held = path.rpartition(".")[2] not in CHANNELS
            values = values if held else self._mixed(path, places, values, was)
        for k, (place, one) in enumerate(zip(places, drawn, strict=True)):
            one.frames, one.values = self.frames, values[:, k]
            if self.goes_on:
                one.before = self._outside(place, True, held)
                one.after, jumps = self._after(place, path, values[-1], was[-1], k, held)
                one.interpolation = np.full(len(self.frames), CONSTANT if held else LINEAR)
                one.interpolation[-1] = CONSTANT if jumps or held else LINEAR

    def _mixed(self, path: str, places: list[Place], values: Array, was: Array) -> Array:
        """Values (n, c) blended with what was there (n + 2, c), without jumps from it."""
        share, mode = self.share[:, None], self._mode(path, len(places))
        if not mode:
            return share * values + (1 - share) * was[1:-1]
        turned = turned_between(turns_of(was[1:-1], mode), turns_of(values, mode), self.share)
        begin = turns_of(was[:1], mode).as_matrix()
        out = channels(np.concatenate([begin, turned]), mode)
        if mode in ("QUATERNION", "AXIS_ANGLE"):
            return (np.sign((out[0] * was[0]).sum()) or 1.0) * out[1:] if mode == "QUATERNION" else out[1:]
        # Euler angles: whole turns, and the other way to write them, as it was written before
        direct = np.abs(out[0] - was[0] - 2 * np.pi * np.round((out[0] - was[0]) / (2 * np.pi))).max() < NEAR
        if not direct:
            middle = "XYZ".index(mode[1])
            other = out + np.pi
            other[:, middle] = np.pi - out[:, middle]
            out = other
        return out[1:] - 2 * np.pi * np.round((out[0] - was[0]) / (2 * np.pi))

    def _mode(self, path: str, count: int) -> str:
        """The rotation mode of a channel that is drawn as a whole; empty for others."""
        channel = path.rpartition(".")[2]
        if not channel.startswith("rotation_"):
            return ""
        name = bone_of(path)
        mode = (self.armature.pose.bones[name] if name else self.armature).rotation_mode
        return str(mode) if count == (4 if mode in MODES else 3) else ""

    def _now(self, path: str, channel: int) -> float:
        value = self.armature.path_resolve(path)
        return float(value[channel] if hasattr(value, "__getitem__") else value)

    def _was(self, place: Place, frames: Array) -> Array:
        curve = self.curves.get(place)
        if curve is None:
            return np.full(len(frames), self._now(*place))
        return np.array([curve.evaluate(float(f)) for f in frames])

    def _outside(self, place: Place, before: bool, held: bool) -> Keys:
        """Keys of what was there on one side; as it was on every frame, also next to the bake.

        Args:
            held: whether its values are never gone through, as those of switches.
        """
        curve, edge = self.curves.get(place), float(self.frames[0] - 1 if before else self.frames[-1] + 1)
        if curve is None or not len(curve.keyframe_points):
            return straight(np.array([edge]), self._was(place, np.array([edge])), CONSTANT)
        old = read_keys(curve)
        at, scene = old["co"][:, 0], bpy.context.scene
        if len(curve.modifiers) or curve.extrapolation != "CONSTANT":            # they act on every frame, also beyond the keys
            span = (min(at.min(), scene.frame_start, edge), edge) if before else (edge, max(at.max(), scene.frame_end, edge))
            return self._dense(place, np.arange(np.floor(span[0]), span[1] + 1), held)
        out = some_of(old, at <= edge if before else at >= edge)
        if not len(out["co"]):
            return self._dense(place, np.array([edge]), held)
        kept = out["co"][:, 0]
        # the piece of curve that the edge cuts is kept as a key a frame
        cut = np.arange(np.floor(kept[-1]) + 1, edge + 1) if before else np.arange(edge, np.ceil(kept[0]))
        stepped = int(old["interpolation"][max(int((at <= edge).sum()) - 1, 0), 0]) == CONSTANT
        if before:
            out["interpolation"][-1] = CONSTANT if held or stepped else LINEAR
        around = [out, self._dense(place, cut, held or stepped)]
        return joined(around if before else around[::-1])

    def _dense(self, place: Place, frames: Array, held: bool) -> Keys:
        return straight(frames, self._was(place, frames), CONSTANT if held else LINEAR)

    def _after(self, place: Place, path: str, ends: Array, was: Array, k: int, held: bool) -> tuple[Keys, bool]:
        """Keys after the bake, written such that rotations go on from it, and whether their values jump all the same.

        Args:
            ends, was: (c,) the channel's values at the end of the bake, and those of what was there one frame later.
        """
        keys, mode = joined([self._outside(place, False, held)]), self._mode(path, len(ends))
        fields = ("co", "handle_left", "handle_right")
        if mode == "QUATERNION":
            if ends @ was < 0:
                keys |= {name: keys[name] * np.array([1, -1]) for name in fields}
            return keys, False
        if not mode:
            return keys, False
        turns = np.zeros(len(ends)) if mode == "AXIS_ANGLE" else 2 * np.pi * np.round((ends - was) / (2 * np.pi))
        keys |= {name: keys[name] + np.array([0, turns[k]]) for name in fields}
        return keys, bool(self.outs) and float(np.abs(ends - was - turns).max()) > FAR


def _smooth(share: Array) -> Array:
    x = np.clip(share, 0.0, 1.0)
    return np.asarray(x * x * (3 - 2 * x))
