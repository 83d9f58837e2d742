"""The pictures of docs/styles.md: one stride of each style, from the side and from the front. Needs the extra `plot`.

`styles.py NAME ...` draws styles of people, `styles.py --on BODY NAME ...` those for four legs on a built-in body; all where none
is named.
"""
from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
import numpy as np
from footfall.core.character.builtin import builtin
from footfall.core.clip import builtin_style, builtin_styles
from footfall.core.clip.quadruped import quadruped_style, quadruped_styles
from footfall.core.engine import generate
from footfall.core.motion import Motion
from footfall.core.motion.strip import View, draw_figure
from footfall.core.sketch.striding import gait_body
from footfall.core.task import Path as Way
from footfall.core.task import SpeedProfile, Task
from PIL import Image

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "styles"
FRAMES, FROM = 10, 2.0            # of a strip; s at which its stride begins to be looked for
LEG = 0.93                        # m, of the built-in humanoid
WIDTH, HEIGHT = 1.8, 1.85         # m that a frame shows
OVERHEAD = 0.22                   # m over the middle of the highest link
COLOURS = 32                      # of a picture, for a small file
LONG, TALL = 3.1, 1.75            # hip heights that a frame shows of a body on four legs
VIEWS = (-90.0, 0.0)              # azimuths against the heading: from its right side, from ahead


def strip(motion: Motion, file: Path, width: float = WIDTH, height: float = HEIGHT) -> None:
    """One stride from a left strike on, of a body that fits into frames of a width and a height, m."""
    strikes = [f.strike for f in motion.footsteps if f.leg == 0 and f.strike > FROM]
    frames = np.round(np.linspace(strikes[0], strikes[1], FRAMES) * motion.fps).astype(int)
    height = max(height, float(motion.link_position[frames][..., 2].max()) + OVERHEAD)
    figure, axes = plt.subplots(len(VIEWS), FRAMES, figsize=(FRAMES * 0.9, len(VIEWS) * 0.9 * height / width))
    for row, azimuth in enumerate(VIEWS):
        for column, k in enumerate(frames):
            ax = axes[row, column]
            centre = np.array([*motion.com[k, :2], 0.5 * height])
            ax.axhline(-0.5 * height, color="#7f9a6b", linewidth=0.8)
            draw_figure(ax, motion, int(k), View(centre, np.radians(azimuth), 0.0))
            ax.set_xlim(-0.5 * width, 0.5 * width)
            ax.set_ylim(-0.53 * height, 0.5 * height)
            ax.set_aspect("equal")
            ax.axis("off")
    figure.subplots_adjust(0, 0, 1, 1, 0, 0)
    figure.savefig(file, dpi=100)
    plt.close(figure)
    Image.open(file).convert("RGB").quantize(COLOURS).save(file, optimize=True)


def on_four_legs(body: str, names: list[str]) -> None:
    """Draw styles for four legs on a built-in body."""
    hips = gait_body(builtin(body)).hip_height
    for name in names or [n for n in quadruped_styles() if quadruped_style(n).gait]:
        speed = quadruped_style(name).preferred * np.sqrt(9.81 * hips)
        task = Task(Way([[0, 0], [90, 0]]), SpeedProfile(float(speed)), character=body, style=name, seconds=6.0, fps=60.0)
        strip(generate(task), PICTURES / f"{body}-{name}.png", LONG * hips, TALL * hips)
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
        strip(generate(Task(Way([[0, 0], [60, 0]]), SpeedProfile(float(speed)), style=name, seconds=6.0)), PICTURES / f"{name}.png")
        print(name)


if __name__ == "__main__":
    main()
