"""What a body that nobody draws cannot be asked for."""
from __future__ import annotations

import numpy as np

from ...errors import TaskError
from ...task import HOPS, Task


def refuse(task: Task) -> None:
    """Say what a task asks for that no preview knows.

    Raises:
        TaskError: it does.
    """
    acrobatic = any(jump.turn or jump.flips or jump.reach < 0 for jump in task.jumps)
    asked = {"jumps that go backward, turn or turn over": acrobatic, "bars": task.bars is not None, "hurdles": task.hurdles,
             "footsteps that are kept": task.kept, "poses to strike": task.struck, "a first or last pose": task.first or task.last,
             f"the gait {task.gait!r} (of gaits it knows {', '.join(map(repr, HOPS))})": task.gait not in (None, *HOPS),
             "facing by place": task.facing is not None,
             "pushes with a moment": any(np.any(push.moment) for push in task.pushes)}
    for what, wanted in asked.items():
        if wanted:
            raise TaskError(f"The engine 'preview' cannot do {what}: it finds every step and every pose by itself. Take that out, "
                            "or choose the engine 'centroidal'.")
