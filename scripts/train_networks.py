"""Train the networks that come with Footfall, and write their figures beside them.

    python scripts/train_networks.py [BODY...] [--out DIR] [--workers N]

The file figures.md in the same folder says what each network was trained on and how well it does.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from footfall.core.engine.batch.pool import ProcessPool
from footfall.core.engine.learned.networks import NETWORKS_FOLDER
from footfall.core.engine.learned.samples import make_body_task
from footfall.core.engine.learned.train_body import TrainingPlan, train_body
from footfall.core.engine.learned.weights_file import load_network, save_network

FIGURES_HEADER = """\
# Figures of the networks

Written by `scripts/train_networks.py`. Errors are mean squared errors, normalized by the variance
of the samples. Speeds are at human scale, for legs of 0.93 m.

| network | speeds [m/s] | random drives | segments | epochs | seed | error | held out | size [MB] |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


@dataclass(frozen=True)
class Shipped:
    """A network that comes with Footfall.

    Args:
        body: built-in character.
        style: built-in style.
        plan: how much it is trained.
    """

    body: str
    style: str
    plan: TrainingPlan

    @property
    def file_name(self) -> str:
        """Name of the file."""
        return f"{self.body}-{self.style}.npz"


SHIPPED = (
    Shipped("humanoid", "natural", TrainingPlan(samples=6000, seed=1)),
    Shipped("anymal", "natural", TrainingPlan(samples=2500, epochs=300, seed=1)),
    Shipped("horse", "natural", TrainingPlan(samples=2500, epochs=300, seed=1)),
    Shipped("dog", "natural", TrainingPlan(samples=2500, epochs=300, seed=1)),
)


def main() -> None:
    """Train networks and write figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bodies", nargs="*", metavar="BODY", help="bodies to train; all by default")
    parser.add_argument("--out", type=Path, default=NETWORKS_FOLDER, metavar="DIR")
    parser.add_argument("--workers", type=int, metavar="N", help="processes for the drives")
    options = parser.parse_args()
    for shipped in SHIPPED:
        if options.bodies and shipped.body not in options.bodies:
            continue
        begin = time.perf_counter()
        with ProcessPool(options.workers) as pool:
            task = make_body_task(shipped.body, shipped.style)
            trained = train_body(task, shipped.plan, pool)
        save_network(trained.learned, options.out / shipped.file_name)
        seconds = time.perf_counter() - begin
        print(f"{shipped.file_name}: {seconds:.0f} s. {trained.describe()}", flush=True)
    write_figures(options.out)


def write_figures(folder: Path) -> None:
    """Write the figures of all networks in a folder."""
    rows = []
    for path in sorted(folder.glob("*.npz")):
        about = load_network(path).about
        rows.append(
            f"| {path.name} | {about.slowest:g} to {about.fastest:g} | {about.clips} | "
            f"{about.samples} | {about.epochs} | {about.seed} | {about.training_error:.3f} | "
            f"{about.held_out_error:.3f} | {path.stat().st_size / 1e6:.2f} |\n"
        )
    (folder / "figures.md").write_text(FIGURES_HEADER + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
