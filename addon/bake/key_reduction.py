"""Fewer keys than one a frame: held poses, even steps, or keys only where they are needed; feet stay where they stand."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import Drawn, NewAction, Place, bone_of
from ..animation.channels import curves_of
from ..animation.curve_fit import CurveFit
from ..animation.keyframes import ALIGNED, BEZIER, CONSTANT, FREE, LINEAR, Keys, straight, write_keys
from ..rigs.dependencies import moving_by
from ..units import unit_scale
from .bone_filter import OBJECT
from .contact_error import Measured, Soles, measured
from .options import Options
from .surrounding_keys import Around

Array = NDArray[np.float64]
ROUNDS = 40               # at most, until no foot is off; each adds keys, so that there is an end to it
AROUND = 8                # frames about one that was off, that are looked at again before all are
STEADY = 0.4              # share of what feet may be off that a bone on the way to one that stands may add by itself
EASY = 0.7                # the same for all that feet do not hang on, of what the body may be off
TOLD = 2.0                # times what feet may be off, from which on that is told
GUILTY = 0.3              # share of the largest error among the bones of a leg, from which on one gets a key where its foot is off


def thin(armature: bpy.types.Object, new: NewAction, soles: Soles, around: Around, options: Options,
         follows: Mapping[str, str]) -> list[str]:
    """Leave fewer keys in an action that was just written, a key a frame; returns what the user may like to know.

    Args:
        follows: deforming bone by the control that is keyed in its place.
    """
    count = len(around.frames)
    if options.keys == "EVERY" or count < 3:
        return []
    work, worst = _Thinning(armature, new, around, options), 0.0
    if options.keys == "STEPS" and options.held:
        work.hold()
    else:
        limits = soles.limits(options, around.inside)
        work.fit(limits, _Reach(armature, soles, follows))
        with measured(soles, new, around.frames, around.inside, limits) as seen:
            worst = work.refine(seen)
    work.write(new.curves())
    most = sum(count for drawn in new.drawn.values() if not drawn.still)
    told = [f"{work.keys()} keys instead of {most}"]
    return told if worst <= TOLD else [*told, f"feet are off by up to {worst:.1f} times the tolerance between frames"]


class _Reach:
    """What hangs on what: the contact points that each bone moves, and how far from it they and all else are, m."""

    def __init__(self, armature: bpy.types.Object, soles: Soles, follows: Mapping[str, str]) -> None:
        self.armature, self.follows = armature, follows
        above, bones = moving_by(armature), soles.bones()
        self.above, self.touch = [above(name) for name in bones], set(bones)
        self.size = float(np.cbrt(abs(np.linalg.det(np.array(armature.matrix_world)[:3, :3])))) * unit_scale(bpy.context.scene)
        self.whole = self.size * float(np.ptp([b.head_local for b in armature.data.bones], axis=0).max())

    def points(self, name: str) -> list[int]:
        """Contact points that a bone moves."""
        return [k for k, above in enumerate(self.above) if name == OBJECT or name in above]

    def carries(self, name: str) -> bool:
        """Whether feet surely go with a bone: on control rigs they may be held where they are, and playing it tells."""
        return not self.follows or self.follows.get(name) in self.touch

    def lever(self, name: str) -> float:
        """How far what a bone turns reaches from it."""
        bone = self.armature.data.bones.get(self.follows.get(name, name))
        if bone is None:
            return self.whole
        ends = [(child.tail_local - bone.head_local).length for child in (bone, *bone.children_recursive)]
        return min(self.size * max(ends), self.whole)


class _Thinning:
    def __init__(self, armature: bpy.types.Object, new: NewAction, around: Around, options: Options) -> None:
        self.armature, self.new, self.frames, self.options = armature, new, around.frames, options
        self.inner: dict[Place, Keys] = {}
        self.groups: dict[str, list[Place]] = {}
        for place, drawn in new.drawn.items():
            if len(drawn.values) == len(self.frames) and not drawn.still and not _held(drawn):
                self.groups.setdefault(place[0], []).append(place)
        self.fits: dict[str, CurveFit] = {}
        self.moves: dict[str, list[int]] = {}          # contact points by path
        self.metres: dict[str, float] = {}             # m that a unit of the property's error moves what hangs on it

    def _steps(self) -> NDArray[np.bool_]:
        out = np.zeros(len(self.frames), bool)
        out[::self.options.step] = True
        out[-1] = True
        return out

    def hold(self) -> None:
        """Poses that stand from key to key."""
        chosen = self._steps()
        for path in self.groups:
            for place in self.groups[path]:
                self.inner[place] = straight(self.frames[chosen], self.new.drawn[place].values[chosen], CONSTANT)

    def fit(self, limits: Array, reach: _Reach) -> None:
        """The first keys of every property, by its own error alone."""
        few = self.options.keys == "FEW"
        for path, places in self.groups.items():
            name, turns = bone_of(path), path.rpartition(".")[2].startswith("rotation_")
            values = np.column_stack([self.new.drawn[place].values for place in places])
            self.moves[path] = points = reach.points(name)
            self.metres[path] = reach.lever(name) * (2.0 if path.endswith("quaternion") else 1.0) if turns else reach.size
            allowed = np.full(len(values), EASY * self.options.body)
            corner = np.zeros(len(values), bool)
            if points:
                own = limits[:, points]
                if reach.carries(name):
                    allowed = np.minimum(allowed, STEADY * own.min(1))
                stands = own <= own.min() + 1e-9
                corner[1:] = (stands[1:] != stands[:-1]).any(1)
                corner |= np.append(corner[1:], False)
            fit = self.fits[path] = CurveFit(values, allowed / self.metres[path], corner, smooth=few)
            if few:
                fit.reduce()
            else:
                fit.add(self._steps())
            self._tell(path)

    def refine(self, seen: Measured) -> float:
        """More keys wherever a foot is off, until none is, on frames and between them; returns how far one stays off, of its limit.
        """
        curves = {(c.data_path, c.array_index): c for c in curves_of(seen.double)}
        worst = 0.0
        changed, every = set(self.fits), np.arange(0, len(self.frames) - 0.75, 0.5)
        looked = every
        for _ in range(ROUNDS):
            self._write(curves, changed)
            over = seen.over(looked)
            worst = float(over.max(initial=0.0))
            changed = self._more(looked, over) if worst > 1 else set()
            if changed:
                off = looked[(over > 1).any(1)]
                looked = every[(np.abs(every[:, None] - off).min(1) <= AROUND)]
            elif len(looked) == len(every):
                break
            else:
                looked = every
        return worst

    def _more(self, times: Array, over: Array) -> set[str]:
        """Add keys at the worst time of each stretch in which a point is off; returns the paths that got any."""
        errors = {path: fit.off() * self.metres[path] for path, fit in self.fits.items()}
        changed = set()
        for point in range(over.shape[1]):
            for time in _worst(times, over[:, point]):
                near = [int(np.floor(time)), int(np.ceil(time))]
                moving = [path for path, moved in self.moves.items() if point in moved]
                own = [path for path in moving if not self.fits[path].keys[near].all()]
                if not own:                            # keys on both sides; then only a straight line between them is left
                    changed |= {path for path in moving if self.fits[path].straighten(near)}
                most = max((errors[path][near].max() for path in own), default=0.0)
                for path in own:
                    if errors[path][near].max() >= GUILTY * most:
                        add = np.zeros(len(self.frames), bool)
                        add[near] = True
                        self.fits[path].add(add)
                        changed.add(path)
        for path in changed:
            self._tell(path)
        return changed

    def _tell(self, path: str) -> None:
        """The keys of a property from its fit."""
        fit = self.fits[path]
        for channel, place in enumerate(self.groups[path]):
            drawn = self.new.drawn[place]
            at = self.frames[fit.at]
            keys = straight(at, fit.values[fit.at, channel], BEZIER if fit.smooth else LINEAR)
            if fit.smooth:
                gap = np.diff(at) / 3
                left, right = np.append(gap[:1], gap), np.append(gap, gap[-1:])
                keys["handle_left"] = keys["co"] - np.column_stack([left, left * fit.coming[:, channel]])
                keys["handle_right"] = keys["co"] + np.column_stack([right, right * fit.leaving[:, channel]])
                kind = np.where(fit.corner[fit.at], FREE, ALIGNED)[:, None]
                keys["handle_left_type"] = keys["handle_right_type"] = kind
            if np.ndim(drawn.interpolation):
                keys["interpolation"][-1] = np.asarray(drawn.interpolation)[-1]
            elif drawn.after is None and fit.smooth:
                keys["interpolation"][-1] = BEZIER
            self.inner[place] = keys

    def _write(self, curves: Mapping[Place, Any], paths: set[str]) -> None:
        for path in paths:
            for place in self.groups[path]:
                write_keys(curves[place], self.new.drawn[place].keys(self.inner[place]))

    def write(self, curves: list[Any]) -> None:
        """Give the new action its keys."""
        self._write({(c.data_path, c.array_index): c for c in curves}, set(self.groups))

    def keys(self) -> int:
        """How many are left on the bake's own frames."""
        return sum(len(keys["co"]) for keys in self.inner.values())


def _held(drawn: Drawn) -> bool:
    """Whether it is held on every frame, as switches are."""
    return bool(np.ndim(drawn.interpolation)) and bool((np.asarray(drawn.interpolation) == CONSTANT).all())


def _worst(times: Array, over: Array) -> list[float]:
    """The time of the largest value in each stretch of times in which values are above 1."""
    bad = np.flatnonzero(over > 1)
    if not len(bad):
        return []
    parts = np.split(bad, np.flatnonzero(np.diff(bad) > 1) + 1)
    return [float(times[part[over[part].argmax()]]) for part in parts]
