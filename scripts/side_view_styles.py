"""Print how closely the engine Side View follows styles and clips, or draw strides of it.

    python scripts/side_view_styles.py STYLE=SPEED...
    python scripts/side_view_styles.py --pictures

STYLE is a name of the shelf or the path of a clip, SPEED in m/s. A row holds the speed of a walk of
6 s, and root mean square differences of angles from the planned walk at the same phases. The
pictures are those of docs/tracker.md; they need the extra `plot`.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path as FilePath

ROOT = FilePath(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from by_phase import measure_differences  # noqa: E402
from footfall.core.character.load import load_character  # noqa: E402
from footfall.core.engine import generate  # noqa: E402
from footfall.core.errors import FootfallError  # noqa: E402
from footfall.core.scenarios.scenarios import find_scenario  # noqa: E402
from footfall.core.task import Path, SpeedProfile, Task  # noqa: E402

SECONDS = 6.0
INPUT_SECONDS = 3.4
ANGLES = ("thigh", "knee", "ankle", "trunk")
# Scenarios of the pictures.
SHOWN = ("tracker-walk", "tracker-old", "tracker-clip")
PICTURE_FRAMES = 10


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


def draw_strides() -> None:
    """Draw a stride of each scenario."""
    from styles import draw_stride  # needs matplotlib

    for name in SHOWN:
        task = find_scenario(name).build_task(fps=60, seconds=4.5)
        draw_stride(generate(task), ROOT / "docs" / "pictures" / f"{name}.png", PICTURE_FRAMES)


def main(arguments: list[str]) -> None:
    """Print a row for each STYLE=SPEED, or draw the pictures."""
    if arguments == ["--pictures"]:
        draw_strides()
        return
    print(f"| style | m/s | walks at | {' | '.join(ANGLES)} |")
    print("| --- | --- | --- |" + " --- |" * len(ANGLES))
    for argument in arguments:
        style, speed = argument.rsplit("=", 1)
        print(describe_style(style, float(speed)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
