"""Options of a bake: destination, frames, bones, keys and blends."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import bpy

HAS_ACTION_SLOTS = "slots" in bpy.types.Action.bl_rna.properties  # Blender 4.4 and later


@dataclass(frozen=True)
class BakeOptions:
    """Options of a bake; the defaults are a new action with a key on every frame of every bone.

    Args:
        into: "ACTION" for a new action, "SLOT" for a new slot of the current one, "STRIP" for a
            strip on a new NLA track.
        strip: name of the strip; "" for that of the action.
        span: first and last frame of the scene that are baked; None for the whole motion.
        keys: "EVERY" for a key on every frame, "STEPS" for even steps, "FEW" for keys where they
            are needed.
        step: number of frames between keys of "STEPS"; animators often work on twos.
        held: whether "STEPS" holds each pose until the next key instead of interpolating.
        feet: error of a contact that "FEW" and interpolated steps may cause [m], which is hardly
            seen.
        body: error of anything else that they may cause [m]; beside no resting place, five times
            that is seen as little.
        bones: "ALL", "SELECTED", "UPPER" for the upper body, or "LEGS" for legs and root.
        chosen: names of the selected bones.
        blend_in: number of frames over which the existing animation blends into the bake.
        blend_out: number of frames over which the bake blends into the existing animation.
    """

    into: str = "ACTION"
    strip: str = ""
    span: tuple[int, int] | None = None
    keys: str = "EVERY"
    step: int = 2
    held: bool = True
    feet: float = 0.002
    body: float = 0.01
    bones: str = "ALL"
    chosen: frozenset[str] = frozenset()
    blend_in: int = 0
    blend_out: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all bones follow the plan in all baked frames."""
        return self.bones == "ALL" and not self.blend_in and not self.blend_out

    @property
    def json_data(self) -> dict[str, Any]:
        """The options as data for JSON."""
        return {**asdict(self), "chosen": sorted(self.chosen)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> BakeOptions:
        """Return options from their data; missing ones have their defaults."""
        options = cls(**data)
        return replace(
            options, chosen=frozenset(options.chosen), span=options.span and tuple(options.span)
        )


DEFAULT_OPTIONS = BakeOptions()
