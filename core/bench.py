"""Computing time per second of motion, by scenario and stage."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass

from .engine import generate
from .scenarios.scenarios import SCENARIOS

# Frame rate [1/s] and length [s] of the clips, those of the tables in docs/dev/figures.md.
FRAME_RATE = 30.0
CLIP_SECONDS = 10.0
# Columns of the table.
STAGES = ("sketch", "plan", "fullbody", "total")
# Computing time per second of motion [s] in Kwon et al. 2020, tables 2 and 4, on a laptop of 2018.
PAPER_SECONDS = {
    "humanoid-walk": 0.46,
    "humanoid-run": 0.46,
    "humanoid-fast-run": 1.49,
    "humanoid-walk-and-stop": 0.53,
    "humanoid-sharp-turn": 0.51,
    "humanoid-run-varying-speed": 1.18,
    "humanoid-terrain-run": 2.44,
    "humanoid-leap": 15.1,
    "humanoid-terrain-leap": 7.17,
    "humanoid-hurdles": 15.5,
    "humanoid-step-up-down": 2.31,
    "humanoid-stair-walk": 3.42,
    "humanoid-stones": 3.67,
    "humanoid-terrain-stones": 3.38,
    "humanoid-moon": 12.57,
    "humanoid-varying-stride": 1.12,
    "humanoid-varying-lateral-foot": 0.6,
    "humanoid-push": 0.34,
    "humanoid-monkeybars": 4.58,
    "humanoid-random-jumps": 0.5,
    "humanoid-super-jumps": 0.79,
    "humanoid-super-flips": 0.8,
    "luxo-terrain": 2.02,
    "anymal-terrain": 15.43,
    "anymal-gaits": 17.9,
    "anymal-rush": 19.7,
    "cassie-style1": 1.97,
    "cassie-style2": 2.09,
    "cassie-style3": 3.18,
}
# Lengths at which one scenario is timed as well [s], to see whether the time grows linearly.
LONG_CLIP_SECONDS = (20.0, 40.0)


@dataclass(frozen=True)
class Timing:
    """Computing time of a scenario per second of motion, the minimum of several runs.

    Args:
        clip_seconds: length of the clip [s].
        sketch, plan, fullbody: of each stage [s].
        total: [s].
    """

    scenario: str
    clip_seconds: float
    sketch: float
    plan: float
    fullbody: float
    total: float


def run_benchmark(as_json: bool = False, repeats: int = 2) -> str:
    """Time all scenarios, and one of them at several lengths.

    Returns:
        A table or JSON.
    """
    timings = [_time_scenario(name, CLIP_SECONDS, repeats) for name in SCENARIOS]
    timings += [_time_scenario("humanoid-walk", length, 1) for length in LONG_CLIP_SECONDS]
    if as_json:
        return json.dumps(
            {
                "fps": FRAME_RATE,
                "machine": platform.processor() or platform.machine(),
                "python": platform.python_version(),
                "timings": [asdict(t) for t in timings],
            },
            indent=2,
        )
    lines = [
        f"{'seconds of computing per second of motion':42}"
        + "".join(f"{stage:>10}" for stage in (*STAGES, "paper"))
    ]
    for t in timings:
        measured = "".join(f"{getattr(t, stage):10.4f}" for stage in STAGES)
        paper = f"{PAPER_SECONDS[t.scenario]:10.2f}" if t.scenario in PAPER_SECONDS else ""
        lines.append(f"{t.scenario:32}{t.clip_seconds:6.0f} s  {measured}{paper}")
    return "\n".join(lines)


def _time_scenario(name: str, seconds: float, repeats: int) -> Timing:
    best = None
    for _ in range(repeats):
        seconds_by_stage = generate(SCENARIOS[name].build_task(FRAME_RATE, seconds)).report.seconds
        if best is None or seconds_by_stage["total"] < best["total"]:
            best = seconds_by_stage
    assert best is not None
    return Timing(name, seconds, *(best[stage] / seconds for stage in STAGES))
