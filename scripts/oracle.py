"""Print the table of docs/oracle.md: our plan compared with the paper's program.

Needs the extra `oracle`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from nlp_oracle import FINE, PUBLISHED, solve_nlp
from oracle_problem import (
    Problem,
    Trial,
    compute_cone_excess,
    compute_cost,
    compute_equation_error,
    integrate_forces,
    record_problems,
)

NAMES = {
    "humanoid-walk": "walk 1.15 m/s",
    "humanoid-run": "run 1.76 m/s",
    "humanoid-terrain-walk": "terrain walk",
}


def figures(p: Problem, t: Trial) -> list[float]:
    """Return actual and claimed cost, linear and angular error, cone excess and time [ms]."""
    error = compute_equation_error(p, t, p.smooth)
    return [
        compute_cost(p, integrate_forces(p, t), t).total,
        compute_cost(p, t.claim(p.grid), t).total,
        float(error.linear.max()),
        float(error.angular.max()),
        max(compute_cone_excess(p, t), 0.0),
        1000 * t.seconds,
    ]


def main() -> None:
    """Print the table: means over the plans of three seconds, and their largest errors."""
    heads = (
        "cost, integrated",
        "cost, claimed",
        "error of the equation of motion, body weights",
        "angular error, body weights m",
        "outside the friction cone, body weights",
        "ms per plan",
    )
    print(f"| | | {' | '.join(heads)} |")
    print("|" + " --- |" * 8)
    for name, label in NAMES.items():
        plans = record_problems(name, 2.0, 5.0)
        rows = {
            "ours": [figures(p, p.ours) for p in plans],
            "ours, common cost only": [figures(p, p.unregularized) for p in plans],
        }
        for solver, settings in (("paper", PUBLISHED), ("paper, fine", FINE)):
            rows[solver] = [figures(p, solve_nlp(p, settings).trial) for p in plans]
        for solver, values in rows.items():
            a = np.array(values)
            worst = a.max(0)
            cells = [
                f"{a[:, 0].mean():.3g}",
                f"{a[:, 1].mean():.3g}",
                f"{worst[2]:.1e}",
                f"{worst[3]:.2g}",
                "0" if worst[4] < 1e-6 else f"{worst[4]:.2g}",
                f"{np.median(a[:, 5]):.0f}",
            ]
            print(f"| {label} | {solver} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
