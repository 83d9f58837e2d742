"""Print how closely the engine Side View follows styles and clips.

    python scripts/side_view_styles.py STYLE=SPEED...

STYLE is a name of the shelf or the path of a clip, SPEED in m/s. A row holds the speed of a walk of
6 s, and root mean square differences of angles from the planned walk at the same phases.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path as FilePath

sys.path.insert(0, str(FilePath(__file__).resolve().parents[1] / "tests" / "support"))

from by_phase import measure_differences
from footfall.core.character.load import load_character
from footfall.core.engine import generate
from footfall.core.errors import FootfallError
from footfall.core.task import Path, SpeedProfile, Task

SECONDS = 6.0
INPUT_SECONDS = 3.4
ANGLES = ("thigh", "knee", "ankle", "trunk")


def describe_style(style: str, speed: float) -> str:
    """Return a row of the table."""
    task = Task(
        Path([[0.0, 0.0], [2 * speed * SECONDS, 0.0]]),
        SpeedProfile(speed),
        style=style,
        seconds=SECONDS,
        fps=60.0,
        engine="tracker",
    )
    name = FilePath(style).stem
    try:
        walk = generate(task)
    except FootfallError as error:
        return f"| `{name}` | {speed:g} | {error} |"
    model = generate(replace(task, engine="centroidal", seconds=INPUT_SECONDS))
    differences = measure_differences(walk, model, load_character("humanoid"))
    measured = float(walk.com[-1, 0] - walk.com[0, 0]) * walk.fps / (walk.frames - 1)
    columns = " | ".join(f"{differences[angle]:.1f}" for angle in ANGLES)
    return f"| `{name}` | {speed:g} | {measured:.2f} | {columns} |"


def main(arguments: list[str]) -> None:
    """Print a row for each STYLE=SPEED."""
    print(f"| style | m/s | walks at | {' | '.join(ANGLES)} |")
    print("| --- | --- | --- |" + " --- |" * len(ANGLES))
    for argument in arguments:
        style, speed = argument.rsplit("=", 1)
        print(describe_style(style, float(speed)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
