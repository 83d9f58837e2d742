"""Generate malformed files of every kind that Footfall reads, and count the results.

    python scripts/malformed_files.py 2000                  print a table
    python scripts/malformed_files.py 1 --kind clip --seed 7    print the result of one file

Every file must be read, or refused with a message of one line, within two seconds and 500 MB.
A process reads the files in turn; if it does not return in time or ends, another one continues.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from footfall.core.errors import FootfallError  # noqa: E402
from malformed import WRITERS, draw_file, read_any  # noqa: E402

MAX_SECONDS = 2.0
HANG_SECONDS = 20.0  # after which the process is stopped
MAX_MEGABYTES = 500.0
MAX_MESSAGE_CHARACTERS = 1000
MAX_ADDRESS_SPACE = 8 << 30  # [bytes]


@dataclass(frozen=True)
class Outcome:
    """What became of a file.

    Args:
        kind: read, refused, overlong (message), traceback, slow, large, hang or killed.
        seconds: time of reading [s].
        megabytes: greatest memory of the process so far [MB].
        detail: the message or the traceback.
    """

    seed: int
    kind: str
    seconds: float
    megabytes: float
    detail: str = ""


def judge_file(kind: str, seed: int) -> Outcome:
    """Draw the file of a seed, read it, and return what became of it."""
    folder = Path(tempfile.mkdtemp())
    try:
        path = draw_file(kind, Random(seed), folder)
        start = time.perf_counter()
        outcome, detail = "read", ""
        try:
            read_any(kind, path)
        except FootfallError as error:
            outcome, detail = "refused", str(error)
            if "\n" in detail or len(detail) > MAX_MESSAGE_CHARACTERS:
                outcome = "overlong"
        except Exception:
            outcome, detail = "traceback", traceback.format_exc()
        seconds = time.perf_counter() - start
    finally:
        shutil.rmtree(folder)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    if outcome in ("read", "refused") and seconds > MAX_SECONDS:
        outcome = "slow"
    elif outcome in ("read", "refused") and megabytes > MAX_MEGABYTES:
        outcome = "large"
    return Outcome(seed, outcome, seconds, megabytes, detail)


def judge_files(kind: str, seeds: list[int], results: Connection) -> None:
    """Judge files one after the other, and send each outcome."""
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_SPACE, MAX_ADDRESS_SPACE))
    for seed in seeds:
        results.send(judge_file(kind, seed))


def judge_all(kind: str, seeds: list[int]) -> list[Outcome]:
    """Judge files in a process, and in another one after each that hangs or ends the process."""
    outcomes: list[Outcome] = []
    context = multiprocessing.get_context("forkserver")
    while len(outcomes) < len(seeds):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=judge_files, args=(kind, seeds[len(outcomes) :], sender))
        process.start()
        sender.close()
        started = False
        while len(outcomes) < len(seeds):
            try:
                if not receiver.poll(HANG_SECONDS if started else 3 * HANG_SECONDS):
                    outcomes.append(Outcome(seeds[len(outcomes)], "hang", HANG_SECONDS, 0.0))
                    break
                outcomes.append(receiver.recv())
                started = True
                if outcomes[-1].kind == "large":  # the next file starts from a small process
                    break
            except EOFError:
                outcomes.append(Outcome(seeds[len(outcomes)], "killed", 0.0, 0.0))
                break
        process.kill()
        process.join()
    return outcomes


def main() -> None:
    """Print a table of outcomes, and every outcome that should not be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="files of each kind")
    parser.add_argument("--kind", choices=sorted(WRITERS), action="append")
    parser.add_argument("--seed", type=int, default=0, help="of the first file")
    options = parser.parse_args()
    seeds = list(range(options.seed, options.seed + options.count))
    bad: list[tuple[str, Outcome]] = []
    print(f"{'kind':8} {'read':>6} {'refused':>8} {'others':>30} {'slowest':>9} {'memory':>8}")
    for kind in options.kind or sorted(WRITERS):
        outcomes = judge_all(kind, seeds)
        counts = Counter(outcome.kind for outcome in outcomes)
        others = {name: n for name, n in counts.items() if name not in ("read", "refused")}
        bad += [(kind, outcome) for outcome in outcomes if outcome.kind in others]
        listed = ", ".join(f"{n} {name}" for name, n in others.items()) or "none"
        seconds = max(outcome.seconds for outcome in outcomes)
        megabytes = max(outcome.megabytes for outcome in outcomes)
        print(
            f"{kind:8} {counts['read']:6} {counts['refused']:8} {listed:>30} {seconds:7.2f} s "
            f"{megabytes:5.0f} MB",
            flush=True,
        )
    for kind, outcome in bad[:100]:
        lines = outcome.detail.strip().splitlines() or [""]
        place = next((x.strip() for x in reversed(lines) if "/footfall/" in x), "")
        seconds = f"{outcome.seconds:.1f} s"
        print(f"{kind} {outcome.seed}: {outcome.kind} {seconds} {place} {lines[-1][:300]}")
    if options.count == 1:
        print((bad or [("", Outcome(0, "", 0.0, 0.0, outcomes[0].detail))])[0][1].detail)


if __name__ == "__main__":
    main()
