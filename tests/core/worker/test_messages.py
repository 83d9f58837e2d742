"""Messages between Blender and the planning process."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from footfall.core.errors import ProtocolError, TaskError
from footfall.core.task import Pace, Push, Wait
from footfall.core.worker.messages import (
    AdvanceRequest,
    Answer,
    DriveReadyAnswer,
    ErrorAnswer,
    FaultAnswer,
    GenerateRequest,
    MotionAnswer,
    PartAnswer,
    ProgressAnswer,
    Request,
    ResolveRequest,
    StartDriveRequest,
    TaskAnswer,
    TrainControllerRequest,
    TrainedAnswer,
    TrainRequest,
    read_answer,
    read_request,
)

FOLDER = Path("folder of Zoë")
TASK = FOLDER / "task.toml"
MOTION = FOLDER / "motion.npz"


@pytest.mark.parametrize(
    "request_",
    [
        GenerateRequest(TASK, FOLDER),
        GenerateRequest(TASK, FOLDER, Pace(4.0, (0.0, 3.0), (1.0, 0.7), (Wait(2.0, 0.5),))),
        ResolveRequest(TASK, FOLDER, MOTION, begin=0.1, end=1 / 3),
        TrainRequest(TASK, FOLDER, segments=600, epochs=40, seed=1),
        TrainControllerRequest(TASK, FOLDER, seconds=900.0, seed=1),
        StartDriveRequest(TASK, FOLDER),
        AdvanceRequest(3, 7, speed=1.2, direction=-0.1, pushes=()),
        AdvanceRequest(
            0, 1, speed=0.0, direction=2.0, pushes=(Push(0.0, (1.0, 2.0, 0.1), 0.3, "head"),)
        ),
    ],
)
def test_request_survives_the_round_trip(request_: Request) -> None:
    line = request_.to_json()
    assert "\n" not in line
    assert read_request(line) == request_


@pytest.mark.parametrize(
    "answer",
    [
        ProgressAnswer("full body", 0.25),
        TaskAnswer(TASK, ("speed", "path")),
        MotionAnswer(MOTION),
        TrainedAnswer(FOLDER / "network.npz", "Trained."),
        DriveReadyAnswer(0.1, 2.5),
        PartAnswer(3, 7, MOTION),
        ErrorAnswer('The path is "too short".\nGive it two points.'),
        FaultAnswer("KeyError: 'walk'", "Traceback\n  …"),
    ],
)
def test_answer_survives_the_round_trip(answer: Answer) -> None:
    line = answer.to_json()
    assert "\n" not in line
    assert read_answer(line) == answer


def test_pace_of_arrays_is_written() -> None:
    pace = Pace(4.0, np.array([0.0, 3.0]), 0.5)
    request = read_request(GenerateRequest(TASK, FOLDER, pace).to_json())
    assert request == GenerateRequest(TASK, FOLDER, Pace(4.0, (0.0, 3.0), (0.5,)))


PART = json.loads(PartAnswer(3, 7, MOTION).to_json())


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Segmentation fault",
        '{"kind": "part", "part_num',
        "[1, 2]",
        "{}",
        '{"kind": "dance"}',
        '{"kind": ["part"]}',
        GenerateRequest(TASK, FOLDER).to_json(),
        json.dumps({"kind": "part"}),
        json.dumps(PART | {"color": "red"}),
        json.dumps(PART | {"part_number": "3"}),
        json.dumps(PART | {"part_number": 3.5}),
        json.dumps(PART | {"motion_file": None}),
        json.dumps({"kind": "progress", "stage": "plan", "share": True}),
    ],
)
def test_broken_answer_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError):
        read_answer(line)


def test_broken_push_is_refused() -> None:
    request = json.loads(AdvanceRequest(0, 1, speed=1.0, direction=0.0, pushes=()).to_json())
    with pytest.raises(ProtocolError, match="pushes"):
        read_request(json.dumps(request | {"pushes": [{"strength": 3}]}))
    push = {"time": 0.0, "force": [1.0, 0.0, 0.0], "seconds": 99.0}
    with pytest.raises(TaskError, match="99 s"):
        read_request(json.dumps(request | {"pushes": [push]}))
