"""A picture of every scenario, and the page that shows them: docs/gallery.md."""

from __future__ import annotations

from pathlib import Path

from footfall.core.engine import generate
from footfall.core.motion.measures import measure
from footfall.core.motion.picture import save_picture
from footfall.core.scenarios.scenarios import SCENARIOS

DOCS = Path(__file__).resolve().parents[1] / "docs"
# where the strip of a scenario begins and ends, s, where its middle would not show what matters
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
CAMERA = """Every scenario as `footfall run NAME` makes it, drawn by `make gallery`. Below them: rigs as Blender shows them.

The first row of a picture is one look from the side that stays where it is: bodies along the ground, the trails of head and
pelvis in grey, those of the feet in the colours of their sides. A motion that stays in place goes without it.

The rows `side`, `front` and `perspective` show single frames at one scale. Their camera is locked to the path, not to the body:
it keeps the path's heading, advances with the course as smoothed over a stride, and stays at one height over the ground as
smoothed likewise. The dotted line is the middle of that course. So a body that sways leaves the line, one that speeds up runs ahead
of it, hips and head turn against it, and a jump goes up in its cell. Grey lines are the trails of head and pelvis through the
world while the strip lasts. Soles that were set down leave prints; the shadow lies straight under the body; the ground is cut
open before it, and what is blue in gaps is not ground; an arrow is a push.

Below are the forces of the ground in body weights, and the footprints on path and ground from above."""
RIGS = """## Rigs

Rigs of all kinds in mid-stride, as *Generate* bakes them over hills 12 cm high for a human, by `scripts/contact_sheet.py`; rigs
without a skin are drawn as their bones. Figures are of the skin, on a scale on which the rig is 1.75 m tall: how fast what is
within a centimetre of the ground slides, 95th percentile, what swings low over it included, and how far anything sinks.

![Rigs](pictures/rigs.png)"""


def main() -> None:
    """Generate, draw and write."""
    folder = DOCS / "pictures" / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Gallery", "", CAMERA, ""]
    for name, entry in SCENARIOS.items():
        task = entry.build_task(fps=60, seconds=10)
        motion = generate(task)
        save_picture(
            motion,
            folder / f"{name}.png",
            task.ground.sample_heights,
            *SPANS.get(name, (None, None)),
        )
        figures = measure(motion, task.ground.sample_heights)
        description = (
            f"{entry.speed:.3g} m/s: {entry.about}. Contacts drift by "
            f"{1000 * figures.drift_m:.1f} mm at most, soles enter the ground by "
            f"{1000 * figures.penetration_m:.1f} mm."
        )
        lines += [f"## {name}", "", description, "", f"![{name}](pictures/gallery/{name}.png)", ""]
        print(name)
    lines += [RIGS, ""]
    (DOCS / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
