"""The pictures of docs/styles.md: one stride of each style from two sides. Needs the extra `plot`.

`styles.py NAME ...` draws styles of people, `styles.py --on BODY NAME ...` those for four legs
on a built-in body; all where none is named.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from footfall.core.character.load import load_builtin
from footfall.core.clip import list_builtin_styles, load_builtin_style
from footfall.core.clip.style.quadruped_style import (
    list_quadruped_styles,
    load_builtin_quadruped_style,
)
from footfall.core.engine import generate
from footfall.core.errors import MotionError
from footfall.core.motion import Motion
from footfall.core.motion.canvas import create_figure, quantize_colors
from footfall.core.motion.strip import (
    CELL_GAP,
    FRONT,
    ROW_GAP,
    SIDE,
    create_strip_axes,
    draw_strip,
    lay_out_strip,
)
from footfall.core.sketch.gait.gait_body import build_gait_body
from footfall.core.task import Path as Way
from footfall.core.task import SpeedProfile, Task
from footfall.core.terrain import FlatGround

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "styles"
HUMAN_FRAMES = 10  # frames of a strip
QUADRUPED_FRAMES = 7  # frames of a strip of a body on four legs, which is longer
SEARCH_START = 2.0  # [s] at which a strip's stride begins to be looked for
LEG = 0.93  # [m] of the built-in humanoid
WIDTH = 9.6  # [inch] of a picture
LEFT = 0.22  # [inch] beside the strip, for the names of its rows
TOP = 0.22  # [inch] above it, for the times
COLORS = 64  # of a picture, for a small file


def draw_stride(motion: Motion, file: Path, count: int) -> None:
    """Draw one stride from a left strike on, from the side and from the front."""
    strikes = [f.strike for f in motion.footsteps if f.leg == 0 and f.strike > SEARCH_START]
    frames = np.round(np.linspace(strikes[0], strikes[1], count) * motion.fps).astype(int)
    layout = lay_out_strip(motion, frames, FlatGround().sample_heights, (SIDE, FRONT))
    scale = (WIDTH - LEFT - (count - 1) * CELL_GAP) / count / layout.cell_width
    tall = TOP + scale * sum(layout.row_heights) + ROW_GAP
    figure = create_figure(file, WIDTH, tall, MotionError)
    draw_strip(
        motion,
        create_strip_axes(figure, layout, scale, left=LEFT, top=TOP),
        layout,
        FlatGround().sample_heights,
    )
    figure.savefig(file)
    quantize_colors(file, COLORS)


def draw_quadruped_styles(body: str, names: list[str]) -> None:
    """Draw styles for four legs on a built-in body."""
    hips = build_gait_body(load_builtin(body)).hip_height
    for name in names or [
        n for n in list_quadruped_styles() if load_builtin_quadruped_style(n).gait
    ]:
        speed = load_builtin_quadruped_style(name).preferred_speed * np.sqrt(9.81 * hips)
        task = Task(
            Way([[0, 0], [90, 0]]),
            SpeedProfile(float(speed)),
            character=body,
            style=name,
            seconds=6.0,
            fps=60.0,
        )
        draw_stride(generate(task), PICTURES / f"{body}-{name}.png", QUADRUPED_FRAMES)
        print(body, name)


def main() -> None:
    """Draw those that are named, or all."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    if "--on" in sys.argv[1:]:
        body, *names = sys.argv[2:]
        draw_quadruped_styles(body, names)
        return
    for name in sys.argv[1:] or list_builtin_styles():
        speed = load_builtin_style(name).preferred_speed * np.sqrt(9.81 * LEG)
        task = Task(Way([[0, 0], [60, 0]]), SpeedProfile(float(speed)), style=name, seconds=6.0)
        draw_stride(generate(task), PICTURES / f"{name}.png", HUMAN_FRAMES)
        print(name)


if __name__ == "__main__":
    main()
