"""A picture of every scenario, and the page that shows them: docs/gallery.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from footfall.core.engine import generate
from footfall.core.motion.measures import measure
from footfall.core.motion.picture import save_picture
from footfall.core.scenarios.scenarios import SCENARIOS

DOCS = Path(__file__).resolve().parents[1] / "docs"
# Begin and end of the strip of a scenario [s], where its middle would not show what matters
SPANS = {
    "humanoid-walk-and-stop": (2.4, 7.2),
    "humanoid-sharp-turn": (2.4, 6.4),
    "humanoid-walk-run": (0.8, 3.0),
    "humanoid-run-varying-speed": (1.5, 5.5),
    "humanoid-moon": (3.0, 6.2),
    "humanoid-fast-run": (4.0, 4.6),
    "humanoid-run": (4.0, 4.9),
    "humanoid-terrain-run": (4.0, 5.4),
    "humanoid-varying-stride": (0.5, 8.5),
    "humanoid-varying-lateral-foot": (0.5, 8.5),
    "humanoid-leap": (2.3, 4.7),
    "humanoid-terrain-leap": (2.0, 4.0),
    "humanoid-hurdles": (2.0, 4.2),
    "humanoid-step-up-down": (2.4, 5.4),
    "humanoid-stair-walk": (3.6, 8.4),
    "humanoid-stair-forefoot": (2.2, 9.4),
    "humanoid-push": (1.3, 3.6),
    "humanoid-stones": (2.5, 6.0),
    "humanoid-terrain-stones": (2.5, 6.0),
    "humanoid-random-jumps": (0.8, 4.0),
    "humanoid-super-jumps": (0.8, 5.5),
    "humanoid-super-flips": (0.8, 4.0),
    "humanoid-monkeybars": (3.2, 4.9),
    "humanoid-spin": (1.0, 7.4),
    "adaptive-turns": (4.0, 7.0),
    "luxo-terrain": (3.0, 5.0),
    "anymal-terrain": (3.0, 4.6),
    "anymal-gaits": (1.5, 9.0),
    "anymal-rush": (3.0, 4.6),
    "cassie-style1": (3.0, 4.4),
    "cassie-style2": (3.0, 4.0),
    "cassie-style3": (3.0, 4.4),
    "hexapod-terrain": (3.0, 4.2),
    "spider-terrain": (3.0, 3.6),
    "dog-terrain": (3.0, 3.9),
    "horse-walk": (3.0, 4.6),
    "horse-gallop": (3.0, 3.6),
}
CAMERA = """Every scenario as `footfall run NAME` generates it, drawn by `make gallery`. At the end: rigs as Blender renders them.

The first row of a picture is a single view from the side: bodies along the ground, with the trails of head and pelvis in gray and those of
the feet in the colors of their sides. Motions that stay in place have no such row.

The rows `side`, `front` and `perspective` show single frames at one scale. Their camera follows the path, not the body: its heading is
that of the path, it advances with the motion smoothed over a stride, and its height above the ground is smoothed likewise. The dotted
line is the middle of that motion. A body that sways leaves the line, one that accelerates runs ahead of it, and a jump rises in its
cell. Soles leave prints where they rest; the shadow is straight below the body; the ground is cut open in front of it, and blue
areas in gaps are not ground; an arrow is a push.

*Drift* is how far a resting contact moves at most, *depth* how far a sole enters the ground.

Below are the contact forces in body weights, and the footprints along the path from above."""
RIGS = """## Rigs

Rigs of all kinds in mid-stride, as *Generate* bakes them over hills that are 12 cm high for a human (`scripts/contact_sheet.py`). Rigs
without a skin are drawn by their bones. The figures are those of the skin at a height of 1.75 m: the 95th percentile of the sliding speed
of points within a centimeter of the ground, swinging points included, and the largest depth below the ground.

![Rigs](pictures/rigs.png)"""


def main() -> None:
    """Draw all scenarios and write the page, or draw the named ones and replace their sections."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", default=list(SCENARIOS), metavar="NAME")
    drawn = set(parser.parse_args().names)
    if unknown := drawn - set(SCENARIOS):
        parser.error(f"there is no scenario {sorted(unknown)[0]!r}")
    page = DOCS / "gallery.md"
    earlier = _read_sections(page.read_text(encoding="utf-8"))
    sections = [
        _draw_scenario(name) if name in drawn or name not in earlier else earlier[name]
        for name in SCENARIOS
    ]
    page.write_text("\n\n".join(["# Gallery", CAMERA, *sections, RIGS]) + "\n", encoding="utf-8")


def _read_sections(text: str) -> dict[str, str]:
    """Return the sections of the page by their titles."""
    sections = [f"## {section.strip()}" for section in text.split("\n## ")[1:]]
    return {section.splitlines()[0].removeprefix("## "): section for section in sections}


def _draw_scenario(name: str) -> str:
    """Draw a scenario, and return its section of the page."""
    entry = SCENARIOS[name]
    task = entry.build_task(fps=60, seconds=10)
    motion = generate(task)
    picture = DOCS / "pictures" / "gallery" / f"{name}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    save_picture(motion, picture, task.ground.sample_heights, *SPANS.get(name, (None, None)))
    figures = measure(motion, task.ground.sample_heights)
    print(name)
    return (
        f"## {name}\n\n{entry.speed:.3g} m/s: {entry.about}. "
        f"Drift {1000 * figures.drift_m:.1f} mm, depth {1000 * figures.penetration_m:.1f} mm."
        f"\n\n![{name}](pictures/gallery/{name}.png)"
    )


if __name__ == "__main__":
    main()
