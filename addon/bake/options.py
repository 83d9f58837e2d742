"""What a bake shall make of a motion: where it goes, which frames and bones, how many keys,
and how its ends go on.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import bpy

HAS_ACTION_SLOTS = "slots" in bpy.types.Action.bl_rna.properties  # Blender 4.4 and later


@dataclass(frozen=True)
class BakeOptions:
    """All of them; the defaults are a new action with a key on every frame of every bone.

    Args:
        into: "ACTION" a new one, "SLOT" a new slot of the action there is,
            "STRIP" a strip on a new NLA track.
        strip: its name; empty for the action's own.
        span: first and last frame of the scene that are baked; all of the motion without.
        keys: "EVERY" frame, "STEPS" every so many frames, "FEW" where they are needed.
        step: frames from key to key of "STEPS".
        held: whether poses are held from key to key of "STEPS", rather than gone through evenly.
        feet: m by which "FEW" and poses that are not held may move a contact.
        body: m by which they may move anything else.
        bones: "ALL", "SELECTED" ones, the "UPPER" body or "LEGS" and root.
        chosen: names of the selected ones.
        blend_in, blend_out: frames over which what was there before goes over into the bake, and
            the bake into what was there.
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
        """Whether all bones go by the plan in all frames that are baked."""
        return self.bones == "ALL" and not self.blend_in and not self.blend_out

    @property
    def json_data(self) -> dict[str, Any]:
        """All of them as JSON takes them."""
        return {**asdict(self), "chosen": sorted(self.chosen)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> BakeOptions:
        """Those of which `data` was kept; the defaults for what it does not tell."""
        options = cls(**data)
        return replace(
            options, chosen=frozenset(options.chosen), span=options.span and tuple(options.span)
        )


DEFAULT_OPTIONS = BakeOptions()
