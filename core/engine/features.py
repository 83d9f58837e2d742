"""Parts of a task that not every engine honours, and the refusal of those that one does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ..errors import TaskError
from ..task import HOP_GAITS, Task
from .base import EngineInfo

# fields that every engine honours, or refuses by itself for a body that cannot have them
COMMON_FIELDS = frozenset(
    {
        "character",
        "engine",
        "fps",
        "gravity",
        "ground",
        "mass",
        "name",
        "path",
        "seconds",
        "seed",
        "speed",
        "start",
        "stop_at_end",
        "stride_length",
    }
)


@dataclass(frozen=True)
class Feature:
    """A part of a task that an engine may not honour.

    Args:
        name: the field of the task; of a part of one, a name beside it.
        description: what a message calls it; {task} stands for the task.
        is_requested: whether a task makes use of it.
    """

    name: str
    description: str
    is_requested: Callable[[Task], bool]

    def describe(self, task: Task) -> str:
        """Return what a message about a task calls it."""
        return self.description.format(task=task)


FEATURES = {
    feature.name: feature
    for feature in (
        Feature("style", "styles (style)", lambda task: task.style != "natural"),
        Feature("mixed_styles", "styles that are mixed in", lambda task: bool(task.mixed_styles)),
        Feature("upper_style", "an upper body's style", lambda task: task.upper_style is not None),
        Feature("knobs", "a style's knobs", lambda task: bool(task.knobs.list_changes())),
        Feature(
            "gait",
            f"the gait {{task.gait!r}} (of gaits it knows {', '.join(map(repr, HOP_GAITS))})",
            lambda task: task.gait is not None and task.gait not in HOP_GAITS,
        ),
        Feature("hop", "hops", lambda task: task.gait in HOP_GAITS),
        Feature("friction", "friction", lambda task: task.friction != 1.0),
        Feature(
            "step_width_factor",
            "a step width (width)",
            lambda task: bool((task.step_width_factor.values != 1.0).any()),
        ),
        Feature("tread", "a tread on the forefoot", lambda task: task.tread != "whole"),
        Feature(
            "facing_offset",
            "turns against the path",
            lambda task: bool(task.facing_offset.values.any()),
        ),
        Feature("facing", "facing by place", lambda task: task.facing is not None),
        Feature("gaze", "something to look at", lambda task: task.gaze is not None),
        Feature("pushes", "pushes", lambda task: bool(task.pushes)),
        Feature(
            "push_moments",
            "pushes with a moment",
            lambda task: any(np.any(push.moment) for push in task.pushes),
        ),
        Feature("projectiles", "projectiles", lambda task: bool(task.projectiles)),
        Feature("hurdles", "hurdles", lambda task: bool(task.hurdles)),
        Feature("stepping_stones", "stones", lambda task: task.stepping_stones is not None),
        Feature("monkey_bars", "bars", lambda task: task.monkey_bars is not None),
        Feature("forbidden_areas", "forbidden ground", lambda task: bool(task.forbidden_areas)),
        Feature("pinned_steps", "footsteps that are kept", lambda task: bool(task.pinned_steps)),
        Feature("key_poses", "poses to strike", lambda task: bool(task.key_poses)),
        Feature("first_pose", "a first pose", lambda task: task.first_pose is not None),
        Feature("last_pose", "a last pose", lambda task: task.last_pose is not None),
        Feature("jumps", "jumps", lambda task: bool(task.jumps)),
        Feature(
            "acrobatics",
            "jumps that go backward, turn or turn over",
            lambda task: any(j.turn or j.flips or j.distance < 0 for j in task.jumps),
        ),
    )
}
ALL_FEATURES = frozenset(FEATURES)


def check_features(task: Task, engine: EngineInfo, alternatives: Iterable[EngineInfo] = ()) -> None:
    """Refuse a task that makes use of what an engine does not honour.

    Args:
        alternatives: engines among which the message names those that honour it.

    Raises:
        TaskError: it does; the message names the first such feature.
    """
    for feature in FEATURES.values():
        if feature.name in engine.features or not feature.is_requested(task):
            continue
        others = [repr(info.name) for info in alternatives if feature.name in info.features]
        remedy = f"choose the engine {' or '.join(others)}" if others else "choose another engine"
        raise TaskError(
            f"The engine {engine.name!r} cannot do {feature.describe(task)}. Take that out, or "
            f"{remedy}."
        )
