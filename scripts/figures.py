"""Print the table of docs/dev/figures.md: all human scenarios, measured by an independent judge.

Usage: figures.py CHECK_MOTION [SEEDS [SECONDS]]

CHECK_MOTION is a script that judges a motion file and prints JSON with `--json`. The table takes
ten minutes on two cores for seeds 0 to 4.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from footfall.core.engine import generate
from footfall.core.motion import save_motion
from footfall.core.scenarios.scenarios import find_scenario

FPS = 120.0
ROWS = {
    "walk": "walk 1.15 m/s",
    "run": "run 1.76 m/s",
    "fast-run": "run 7 m/s",
    "walk-and-stop": "walk and stop",
    "sharp-turn": "sharp turn",
    "terrain-walk": "terrain walk",
    "walk-run": "walk to run and back",
    "run-varying-speed": "20 to 35 km/h in 3 s",
    "terrain-run": "terrain run 3 m/s",
    "varying-stride": "varying stride",
    "varying-lateral-foot": "varying width",
    "moon": "the moon, 1.6 m/s²",
    "leap": "leaps over 3 m gaps",
    "hurdles": "hurdles 5 m/s",
    "terrain-leap": "gaps in hills",
    "push": "pushes to 400 N",
    "step-up-down": "boxes",
    "stones": "stones",
    "terrain-stones": "stones over hills",
    "stair-walk": "stairs",
    "stair-forefoot": "narrow stairs",
    "random-jumps": "jumps",
    "super-jumps": "jumps of 7 times the air time",
    "monkeybars": "monkey bars",
    "super-flips": "flips",
}
COLUMNS = {  # by the judge's names: heading, factor, digits
    "drift_max_m": ("drift of a resting contact, mm", 1e3, 1),
    "penetration_max_m": ("penetration of any sole point, mm", 1e3, 1),
    "momentum_residual_bw": ("momentum residual, body weights", 1, 4),
    "angular_residual": ("angular residual", 1, 3),
    "friction_p99": ("friction", 1, 2),
    "pop_max_deg_per_frame2": ("largest pop, degrees a frame²", 1, 1),
    "style_rms_deg": ("off its style, degrees", 1, 1),
    "relaxed_share": ("frames relaxed, %", 100, 1),
}


def judge_scenario(name: str, seed: int, seconds: float, judge: str) -> dict[str, float]:
    """Return the figures of a scenario with a seed."""
    with tempfile.TemporaryDirectory() as folder:
        file = save_motion(
            generate(find_scenario(f"humanoid-{name}").build_task(FPS, seconds, seed)), Path(folder)
        )
        process = subprocess.run(
            [sys.executable, judge, str(file), "--json"], capture_output=True, text=True, check=True
        )
    return {key: float(json.loads(process.stdout)[key]) for key in COLUMNS}


def main(judge: str, seeds: int = 5, seconds: float = 10.0) -> None:
    """Print the worst figures of all seeds, one row for each scenario."""
    print(
        "| | "
        + " | ".join(heading for heading, _, _ in COLUMNS.values())
        + " |\n"
        + "| --- " * (1 + len(COLUMNS))
        + "|"
    )
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waits = {
            name: [pool.submit(judge_scenario, name, seed, seconds, judge) for seed in range(seeds)]
            for name in ROWS
        }
        for name, row in ROWS.items():
            figures = [wait.result() for wait in waits[name]]
            worst = [
                f"{factor * max(0.0, *(f[key] for f in figures)):.{digits}f}"
                for key, (_, factor, digits) in COLUMNS.items()
            ]
            print(f"| {row} | " + " | ".join(worst) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *(int(v) for v in sys.argv[2:3]), *(float(v) for v in sys.argv[3:4]))
