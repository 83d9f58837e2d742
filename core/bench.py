"""How long computing takes: seconds of computing for a second of motion, by scenario and stage."""
from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass

from .engine import generate
from .scenarios.scenarios import SCENARIOS

FPS, SECONDS = 30.0, 10.0
STAGES = ("sketch", "plan", "fullbody", "total")
# seconds of computing a second of motion in Kwon et al. 2020, tables 2 and 4, on a laptop of 2018
PAPER = {"humanoid-walk": 0.46, "humanoid-run": 0.46, "humanoid-fast-run": 1.49, "humanoid-walk-and-stop": 0.53,
         "humanoid-sharp-turn": 0.51, "humanoid-run-varying-speed": 1.18, "humanoid-terrain-run": 2.44, "humanoid-leap": 15.1,
         "humanoid-terrain-leap": 7.17, "humanoid-hurdles": 15.5, "humanoid-step-up-down": 2.31, "humanoid-stair-walk": 3.42,
         "humanoid-stones": 3.67, "humanoid-terrain-stones": 3.38, "humanoid-moon": 12.57, "humanoid-varying-stride": 1.12,
         "humanoid-varying-lateral-foot": 0.6, "humanoid-push": 0.34, "humanoid-monkeybars": 4.58, "humanoid-random-jumps": 0.5,
         "humanoid-super-jumps": 0.79, "humanoid-super-flips": 0.8,
         "luxo-terrain": 2.02, "anymal-terrain": 15.43, "anymal-gaits": 17.9,
         "anymal-rush": 19.7, "cassie-style1": 1.97, "cassie-style2": 2.09, "cassie-style3": 3.18}
LENGTHS = (20.0, 40.0)      # s of one scenario beside SECONDS, to see whether the time grows with the clip


@dataclass(frozen=True)
class Timing:
    """One scenario's computing time a second of motion, the best of a few runs."""

    scenario: str
    clip_seconds: float
    sketch: float
    plan: float
    fullbody: float
    total: float


def bench(as_json: bool = False, rounds: int = 2) -> str:
    """Time all scenarios at 30 frames a second, and one of them at growing length; returns a table or JSON."""
    timings = [_time(name, SECONDS, rounds) for name in SCENARIOS]
    timings += [_time("humanoid-walk", length, 1) for length in LENGTHS]
    if as_json:
        return json.dumps({"fps": FPS, "machine": platform.processor() or platform.machine(),
                           "python": platform.python_version(), "timings": [asdict(t) for t in timings]}, indent=2)
    lines = [f"{'seconds of computing a second of motion':42}" + "".join(f"{stage:>10}" for stage in (*STAGES, "paper"))]
    for t in timings:
        ours = "".join(f"{getattr(t, stage):10.4f}" for stage in STAGES)
        paper = f"{PAPER[t.scenario]:10.2f}" if t.scenario in PAPER else ""
        lines.append(f"{t.scenario:32}{t.clip_seconds:6.0f} s  {ours}{paper}")
    return "\n".join(lines)


def _time(name: str, seconds: float, rounds: int) -> Timing:
    best = None
    for _ in range(rounds):
        found = generate(SCENARIOS[name].task(FPS, seconds)).report.seconds
        if best is None or found["total"] < best["total"]:
            best = found
    assert best is not None
    return Timing(name, seconds, *(best[stage] / seconds for stage in STAGES))
