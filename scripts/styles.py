"""The pictures of docs/styles.md: one stride of each style from two sides. Needs the extra `plot`.

`styles.py NAME ...` draws styles of people, `styles.py --on BODY NAME ...` those for four legs on a
built-in body; all where none is named.
"""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from footfall.core.character.builtin import builtin
from footfall.core.clip import builtin_style, builtin_styles
from footfall.core.clip.style.quadruped_style import quadruped_style, quadruped_styles
from footfall.core.engine import generate
from footfall.core.errors import MotionError
from footfall.core.motion import Motion
from footfall.core.motion.canvas import blank_figure, quantise
from footfall.core.motion.strip import BETWEEN_ROWS, FRONT, SEAM, SIDE, draw_strip, lay_out, strip_axes
from footfall.core.sketch.gait.gait_body import gait_body
from footfall.core.task import Path as Way
from footfall.core.task import SpeedProfile, Task
from footfall.core.terrain import Flat

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "styles"
PEOPLE = 10  # frames of a strip
BEASTS = 7  # frames of a strip of a body on four legs, which is longer
FROM = 2.0  # [s] at which a strip's stride begins to be looked for
LEG = 0.93  # [m] of the built-in humanoid
WIDTH = 9.6  # [inch] of a picture
LEFT = 0.22  # [inch] beside the strip, for the names of its rows
TOP = 0.22  # [inch] above it, for the times
COLOURS = 64  # of a picture, for a small file


def strip(motion: Motion, file: Path, count: int) -> None:
    """Draw one stride from a left strike on, from the side and from the front."""
    strikes = [f.strike for f in motion.footsteps if f.leg == 0 and f.strike > FROM]
    frames = np.round(np.linspace(strikes[0], strikes[1], count) * motion.fps).astype(int)
    layout = lay_out(motion, frames, Flat().height, (SIDE, FRONT))
    scale = (WIDTH - LEFT - (count - 1) * SEAM) / count / layout.width
    tall = TOP + scale * sum(layout.heights) + BETWEEN_ROWS
    figure = blank_figure(file, WIDTH, tall, MotionError)
    draw_strip(motion, strip_axes(figure, layout, scale, left=LEFT, top=TOP), layout, Flat().height)
    figure.savefig(file)
    quantise(file, COLOURS)


def on_four_legs(body: str, names: list[str]) -> None:
    """Draw styles for four legs on a built-in body."""
    hips = gait_body(builtin(body)).hip_height
    for name in names or [n for n in quadruped_styles() if quadruped_style(n).gait]:
        speed = quadruped_style(name).preferred * np.sqrt(9.81 * hips)
        task = Task(
            Way([[0, 0], [90, 0]]),
            SpeedProfile(float(speed)),
            character=body,
            style=name,
            seconds=6.0,
            fps=60.0,
        )
        strip(generate(task), PICTURES / f"{body}-{name}.png", BEASTS)
        print(body, name)


def main() -> None:
    """Draw those that are named, or all."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    if "--on" in sys.argv[1:]:
        body, *names = sys.argv[2:]
        on_four_legs(body, names)
        return
    for name in sys.argv[1:] or builtin_styles():
        speed = builtin_style(name).preferred * np.sqrt(9.81 * LEG)
        task = Task(Way([[0, 0], [60, 0]]), SpeedProfile(float(speed)), style=name, seconds=6.0)
        strip(generate(task), PICTURES / f"{name}.png", PEOPLE)
        print(name)


if __name__ == "__main__":
    main()
