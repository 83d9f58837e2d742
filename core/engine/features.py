"""Parts of a task that not every engine honors, and the refusal of those that one does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass
from typing import Any

import numpy as np

from ..errors import TaskError
from ..task import HOP_GAITS, Task
from ..task.record import default_of, kind_of, list_fields
from ..terrain import YieldingTerrain
from .base import EngineInfo


@dataclass(frozen=True)
class Feature:
    """A part of a task that an engine may not honor.

    Args:
        name: of the task's field, or another name for a property of a part.
        description: what messages call it, with {task} for the task.
        is_requested: whether a task uses it.
    """

    name: str
    description: str
    is_requested: Callable[[Task], bool]

    def describe(self, task: Task) -> str:
        """Return what a message about a task calls the feature."""
        return self.description.format(task=task)


def _make_field_feature(field: Field[Any], description: str) -> Feature:
    """Return the feature of a field of `Task`, requested where its value is not the default."""
    kind = kind_of(field)
    default = default_of(field)
    return Feature(
        field.name, description, lambda task: kind.is_used(getattr(task, field.name), default)
    )


_TASK_FIELDS = list_fields(Task)

# Fields that every engine honors, or refuses by itself for a body that cannot have them.
COMMON_FIELDS = frozenset(f.name for f in _TASK_FIELDS if kind_of(f).feature is None)

# The features of the fields by name, and those that are a property of a field's value.
FEATURES: dict[str, Feature] = {
    f.name: _make_field_feature(f, description)
    for f in _TASK_FIELDS
    if (description := kind_of(f).feature) is not None
} | {
    feature.name: feature
    for feature in (
        Feature(
            "gait",
            kind_of(Task.__dataclass_fields__["gait"]).feature or "",
            lambda task: task.gait is not None and task.gait not in HOP_GAITS,
        ),
        Feature("hop", "hops", lambda task: task.gait in HOP_GAITS),
        Feature(
            "push_moments",
            "pushes with a moment",
            lambda task: any(np.any(push.moment) for push in task.pushes),
        ),
        Feature(
            "yielding_ground",
            "ground that yields (spongy ground and bridges)",
            lambda task: isinstance(task.ground, YieldingTerrain),
        ),
        Feature(
            "acrobatics",
            "jumps that go backward, turn or turn over",
            lambda task: any(j.turn or j.flips or j.distance < 0 for j in task.jumps),
        ),
    )
}
ALL_FEATURES = frozenset(FEATURES)


def check_features(task: Task, engine: EngineInfo, alternatives: Iterable[EngineInfo] = ()) -> None:
    """Refuse a task that uses what an engine does not honor.

    Args:
        alternatives: engines among which the message names those that honor it.

    Raises:
        TaskError: the task uses such a feature, which the message names, or it combines jumps
            with other parts and the engine does not.
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
    if task.jumps and not engine.jumps_while_moving:
        _check_standing_jumps(task)


def _check_standing_jumps(task: Task) -> None:
    """Check a task with jumps for an engine whose bodies stand between jumps."""
    if task.start != "standing":
        raise TaskError("A clip with jumps begins from standing; set its start to 'standing'.")
    conflicts = [
        name for name in task.list_step_features() if name != FEATURES["jumps"].description
    ]
    if conflicts:
        raise TaskError(
            "A character that jumps cannot do anything else; take out the "
            f"{conflicts[0]}, or the jumps."
        )
