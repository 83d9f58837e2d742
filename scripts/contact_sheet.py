"""Draw docs/pictures/rigs.png: Rigify's metarigs and the rigs of given folders in mid-stride.

Usage: contact_sheet.py [FOLDER...]. Each rig is baked in a separate process; the results are cached
in out/rigs.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "docs" / "pictures" / "rigs.png"
CACHE = HERE.parent / "out" / "rigs"
METARIGS = ("human", "basic_human", "wolf", "horse", "cat", "basic_quadruped", "bird")
KINDS = (".glb", ".vrm", ".fbx", ".blend", ".json")
COLUMNS = 2
DPI = 100
COLORS = 128  # of the picture's palette


def main(folders: list[Path]) -> None:
    """Bake the rigs that are not in the cache, and draw the sheet."""
    CACHE.mkdir(parents=True, exist_ok=True)
    rigs = [
        str(path)
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in KINDS
    ]
    rigs += [f"metarig:{name}" for name in METARIGS]
    save_sheet(
        sorted(
            ((format_title(rig), bake_rig(rig)) for rig in rigs), key=lambda pair: pair[0].lower()
        )
    )
    print(f"{OUT}: {len(rigs)} rigs, {OUT.stat().st_size / 1e6:.2f} MB")


def format_title(rig: str) -> str:
    """Return the name of a rig on the sheet."""
    return f"Rigify: {rig[8:]}" if rig.startswith("metarig:") else Path(rig).stem.replace("_", " ")


def bake_rig(rig: str) -> Path:
    """Bake a rig and return the file of the result.

    Raises:
        RuntimeError: the process failed; the message ends with its output.
    """
    out = CACHE / (format_title(rig).replace(": ", "-").replace(" ", "-") + ".npz")
    if not out.exists():
        done = subprocess.run(
            [sys.executable, str(HERE / "rig_on_hills.py"), rig, str(out)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode or not out.exists():
            raise RuntimeError(f"{rig} could not be baked: {(done.stderr or done.stdout)[-500:]}")
        print(done.stdout.strip().splitlines()[-1], flush=True)
    return out


def save_sheet(rigs: list[tuple[str, Path]]) -> None:
    """Draw a row of pictures for each rig under its name and measures."""
    rows = -(-len(rigs) // COLUMNS)
    first = np.load(rigs[0][1])["tiles"]
    moments, high, wide = first.shape[:3]
    caption = 22
    size = (COLUMNS * (moments * wide + 16) / DPI, rows * (high + caption) / DPI)
    figure = plt.figure(figsize=size, dpi=DPI, facecolor="white")
    for k, (name, path) in enumerate(rigs):
        data = np.load(path)
        strip = np.concatenate(list(data["tiles"]), axis=1)
        row = k % rows
        column = k // rows
        left = column / COLUMNS
        top = 1 - (row * (high + caption)) / (size[1] * DPI)
        figure.text(
            left + 6 / (size[0] * DPI),
            top - 4 / (size[1] * DPI),
            name,
            va="top",
            fontsize=9,
            weight="bold",
        )
        skinned = np.isfinite(float(data["slide"]))
        figures_text = "bones alone"
        if skinned:
            figures_text = (
                f"slides {1000 * float(data['slide']):.1f} mm a frame, sinks "
                f"{1000 * float(data['sink']):.1f} mm"
            )
        figure.text(
            left + (moments * wide) / (size[0] * DPI),
            top - 4 / (size[1] * DPI),
            figures_text,
            va="top",
            ha="right",
            fontsize=8,
            color="0.35",
        )
        axes_rectangle = (
            left,
            top - (high + caption) / (size[1] * DPI),
            moments * wide / (size[0] * DPI),
            high / (size[1] * DPI),
        )
        axes = figure.add_axes(axes_rectangle)
        axes.imshow(strip, aspect="auto", interpolation="none")
        axes.axis("off")
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    Image.open(buffer).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(
        OUT, optimize=True
    )


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
