"""The job type for Flamenco, compiled by node with a stand-in for Flamenco's interface."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from footfall.core.cli import main
from footfall.core.motion import load_motion
from footfall.core.scenarios.scenarios import SCENARIOS
from footfall.core.task import save_task

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

# What Flamenco's interpreter supplies; chunks are those of a contiguous range "a-b"
FLAMENCO = """
const path = require("path");
const author = {
    Task: (name, type) => ({
        name, type, commands: [], addCommand(command) { this.commands.push(command); },
    }),
    Command: (name, parameters) => ({ name, parameters }),
};
function frameChunker(frames, size) {
    const [first, last] = frames.split("-").map(Number);
    const chunks = [];
    for (let k = first; k <= last; k += size) {
        const end = Math.min(k + size - 1, last);
        chunks.push(end > k ? `${k}-${end}` : `${k}`);
    }
    return chunks;
}
"""


def _compile(script: Path, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the Flamenco tasks of a job."""
    program = (
        FLAMENCO
        + script.read_text(encoding="utf-8")
        + "\nconst tasks = [];\n"
        + f"const settings = {json.dumps(settings)};\n"
        + "compileJob({settings, addTask: (task) => tasks.push(task)});\n"
        + "console.log(JSON.stringify({tasks, keys: JOB_TYPE.settings.map((s) => s.key)}));\n"
    )
    assert NODE is not None
    output = subprocess.run([NODE, "-e", program], capture_output=True, text=True, check=True)
    result = json.loads(output.stdout)
    assert set(result["keys"]) == set(settings)
    tasks: list[dict[str, Any]] = result["tasks"]
    return tasks


@pytest.fixture
def script(root: Path) -> Path:
    return root / "scripts" / "flamenco" / "footfall-generate.js"


def test_syntax(script: Path) -> None:
    assert NODE is not None
    subprocess.run([NODE, "--check", str(script)], check=True)


def test_task_files_in_chunks(script: Path) -> None:
    settings = {
        "task_file": "/shared/tasks/walk-###.toml",
        "frames": "8-12",
        "chunk_size": 2,
        "output_folder": "/shared/out",
        "footfall_command": "footfall",
    }
    tasks = _compile(script, settings)
    assert [task["name"] for task in tasks] == ["motions-8-9", "motions-10-11", "motions-12"]
    commands = [command for task in tasks for command in task["commands"]]
    assert {command["name"] for command in commands} == {"exec"}
    assert [command["parameters"]["args"] for command in commands] == [
        ["generate", f"/shared/tasks/walk-{k:03}.toml", "--out", f"/shared/out/walk-{k:03}"]
        for k in range(8, 13)
    ]


def test_seeds_generate_motions(script: Path, tmp_path: Path) -> None:
    walk = SCENARIOS["humanoid-walk"].build_task(fps=24, seconds=0.5, speed=1)
    save_task(walk, tmp_path / "walk.toml")
    settings = {
        "task_file": str(tmp_path / "walk.toml"),
        "frames": "7-7",
        "chunk_size": 5,
        "output_folder": str(tmp_path / "out"),
        "footfall_command": "footfall",
    }
    (task,) = _compile(script, settings)
    (command,) = task["commands"]
    assert main(command["parameters"]["args"]) == 0
    assert load_motion(tmp_path / "out" / "walk-0007" / "motion.npz").report.seed == 7
