"""The pictures and the tables of docs/dev/gaits.md. Needs the extra `plot`."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from footfall.core.sketch.footsteps.footfalls import plan_footfalls
from footfall.core.sketch.gait.gait_body import GaitBody, Trunk
from footfall.core.sketch.gait.gait_law import FroudeGaitLaw
from footfall.core.sketch.gait.rhythm import Rhythm
from matplotlib.axes import Axes

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
TRUNKS: tuple[Trunk, ...] = ("firm", "supple", "stiff")
FOUR = ("left hind", "right hind", "left fore", "right fore")
COLORS = ("tab:purple", "tab:orange", "tab:green", "tab:blue", "tab:red", "tab:brown")
SHOWN = (0.05, 0.18, 0.3, 0.5, 1, 2, 3, 4, 6, 10, 20)  # Froude numbers of the table
HORSE = 1.2  # hip height assumed, m
# Witte et al. 2006, J. Exp. Biol. 209:4389, mean of fore and hind legs; speed m/s, stride s, duty
GALLOPS = ((9.0, 0.495, 0.276), (17.0, 0.419, 0.204))


def sweep(law: FroudeGaitLaw, froude: np.ndarray) -> list[Rhythm]:
    """The gaits at rising or falling Froude numbers, each with the memory of those before."""
    out: list[Rhythm] = []
    for f in froude:
        out.append(
            law.rhythm_at(
                law.unit_speed * float(np.sqrt(f)),
                passed_transitions=out[-1].passed_transitions if out else (),
            )
        )
    return out


def changes(rhythms: list[Rhythm]) -> str:
    """Names of gaits in order, with the Froude number from which each is there."""
    runs = [
        (name, next(group).froude) for name, group in groupby(rhythms, key=lambda r: r.gait_name)
    ]
    return runs[0][0] + "".join(f", {name} from {froude:.2g}" for name, froude in runs[1:])


def draw_phases(
    axes: Axes, law: FroudeGaitLaw, low: float, high: float, names: tuple[str, ...]
) -> None:
    """Phases of the planned strides of a body that gets slowly faster, as dots,
    and slower again, as rings.
    """
    unit = law.body.unit_time(law.gravity)
    time = np.arange(0, 240 * unit, 0.1 * unit)
    for speeds, style in (((low, high), "o"), ((high, low), "x")):
        speed = law.unit_speed * np.sqrt(np.geomspace(*speeds, len(time)))
        plan = plan_footfalls(
            law, time, np.concatenate([[0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * 0.1 * unit)])
        )
        stretch = plan.sequences[0]
        froude = (np.interp(stretch.mid_contact_times[:-1, 0], time, speed) / law.unit_speed) ** 2
        for leg, name in enumerate(names):
            axes.plot(
                froude,
                stretch.phases[:, leg] % 1.0,
                style,
                color=COLORS[leg],
                ms=2.2,
                lw=0,
                mew=0.6,
                label=name if style == "o" else None,
            )
    for name, group in groupby(sweep(law, np.geomspace(low, high, 400)), key=lambda r: r.gait_name):
        froude = [r.froude for r in group]
        axes.text(np.sqrt(froude[0] * froude[-1]), 1.03, name, ha="center", fontsize=8)
        axes.axvline(froude[0], color="0.8", lw=0.8)
    axes.set(xscale="log", ylim=(-0.03, 1.1), ylabel="phase, strides")


def draw_laws(path: Path) -> None:
    """Phases, duty and stride time against speed."""
    figure, axes = plt.subplots(2, 3, figsize=(12, 6.4), layout="constrained")
    froude = np.geomspace(0.01, 25, 240)
    titles = {
        "firm": "four legs, firm trunk",
        "supple": "four legs, supple trunk",
        "stiff": "four legs, stiff trunk",
    }
    for k, trunk in enumerate(TRUNKS):
        draw_phases(
            axes.flat[k], FroudeGaitLaw(GaitBody.from_pairs(2, 1.0, 1.1, trunk)), 0.03, 25, FOUR
        )
        axes.flat[k].set_title(titles[trunk], fontsize=9)
    axes[0, 2].legend(fontsize=7, loc=(0.7, 0.55))
    six = FroudeGaitLaw(GaitBody.from_pairs(3, 1.0, 1.5))
    draw_phases(
        axes[1, 0],
        six,
        0.008,
        2,
        tuple(f"row {r} {s}" for r in range(3) for s in ("left", "right")),
    )
    axes[1, 0].set_title("six legs", fontsize=9)
    for law, label in (
        (FroudeGaitLaw(GaitBody.from_pairs(2, 1.0, 1.1)), "four legs"),
        (six, "six legs"),
        (FroudeGaitLaw(GaitBody.from_pairs(1, 1.0)), "two legs"),
    ):
        rhythms = sweep(law, froude)
        axes[1, 1].plot(froude, [r.duty for r in rhythms], label=label)
        axes[1, 2].plot(froude, [r.stride_time * np.sqrt(9.81) for r in rhythms], label=label)
    at = [v**2 / (9.81 * HORSE) for v, _, _ in GALLOPS]
    axes[1, 1].plot(at, [d for _, _, d in GALLOPS], "k^", label="horses (Witte 2006)")
    axes[1, 2].plot(
        at, [t * np.sqrt(9.81 / HORSE) for _, t, _ in GALLOPS], "k^", label="horses (Witte 2006)"
    )
    axes[1, 1].set(xscale="log", ylabel="duty factor", ylim=(0, 0.9))
    axes[1, 2].set(xscale="log", ylabel="stride time, √(h / g)", ylim=(0, None))
    for a in axes[1]:
        a.set_xlabel("Froude number v² / (g h)")
    axes[1, 1].legend(fontsize=7)
    axes[1, 2].legend(fontsize=7)
    figure.savefig(path, dpi=80)


def draw_plan(path: Path) -> None:
    """Draw the contacts over time of a horse from standing to a gallop and back."""
    law = FroudeGaitLaw(GaitBody.from_pairs(2, HORSE, 1.3))
    time = np.arange(0, 30, 1 / 30)
    speed = np.interp(
        time, (0.6, 2, 5, 7, 10, 13, 16, 18, 20, 27), (0, 1.5, 1.5, 3.5, 3.5, 6.2, 6.2, 10, 10, 0)
    )
    plan = plan_footfalls(
        law,
        time,
        np.concatenate([[0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) / 30)]),
        starts_standing=True,
    )
    figure, (top, bars) = plt.subplots(
        2,
        1,
        figsize=(12, 3.6),
        sharex=True,
        layout="constrained",
        gridspec_kw={"height_ratios": (1, 1.6)},
    )
    top.plot(time, speed, color="0.3")
    top.set(ylabel="speed, m/s", xlim=(0, 30), ylim=(0, 12.5))
    stretch = plan.sequences[0]
    for name, group in groupby(
        zip(stretch.gait_names, stretch.mid_contact_times[:, 0], strict=False),
        key=lambda pair: pair[0],
    ):
        times = [t for _, t in group]
        if len(times) > 1:
            top.text(0.5 * (times[0] + times[-1]), 11, name, ha="center", fontsize=8)
    for leg, name in enumerate(FOUR):
        spans = [(max(f.touch_down, 0.0), min(f.lift_off, 30.0)) for f in plan.leg_footfalls(leg)]
        bars.broken_barh([(a, b - a) for a, b in spans], (3 - leg - 0.35, 0.7), color=COLORS[leg])
        bars.text(-0.2, 3 - leg, name, ha="right", va="center", fontsize=8)
    bars.set(yticks=[], xlabel="time, s")
    figure.savefig(path, dpi=80)


def tables() -> None:
    """Print where gaits change and how strides compare with published ones."""
    bodies = {f"four legs, {t}": GaitBody.from_pairs(2, 1.0, 1.1, t) for t in TRUNKS}
    bodies |= {
        "two legs": GaitBody.from_pairs(1, 1.0),
        "six legs": GaitBody.from_pairs(3, 1.0, 1.5),
        "eight legs": GaitBody.from_pairs(4, 1.0, 2.0),
    }
    froude = np.geomspace(0.005, 25, 4000)
    print("| body | faster and faster, F | slower and slower, F |\n| --- | --- | --- |")
    for name, body in bodies.items():
        law = FroudeGaitLaw(body)
        print(f"| {name} | {changes(sweep(law, froude))} | {changes(sweep(law, froude[::-1]))} |")
    print(
        "\n| four legs, F | "
        + " | ".join(f"{f:g}" for f in SHOWN)
        + " |\n|"
        + " --- |" * (len(SHOWN) + 1)
    )
    law = FroudeGaitLaw(bodies["four legs, firm"])
    rhythms = [law.rhythm_at(law.unit_speed * np.sqrt(f)) for f in SHOWN]
    for label, cell in (
        ("gait", lambda r: r.gait_name),
        ("stride time, √(h/g)", lambda r: f"{r.stride_time * np.sqrt(9.81):.2f}"),
        ("stride length, h", lambda r: f"{r.stride_length:.2f}"),
        ("duty", lambda r: f"{r.duty:.2f}"),
        ("flight", lambda r: f"{r.flight_share:.2f}"),
        ("LF / RH / RF", lambda r: " ".join(f"{p:.2f}" for p in r.phases[[2, 1, 3]])),
    ):
        print(f"| {label} | " + " | ".join(cell(r) for r in rhythms) + " |")


if __name__ == "__main__":
    draw_laws(PICTURES / "gaits.png")
    draw_plan(PICTURES / "footfalls.png")
    tables()
