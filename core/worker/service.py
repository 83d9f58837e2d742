"""Computation of the answers to requests."""

from __future__ import annotations

import traceback
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import IO

# Importing the planner takes longest. It is imported here, before the first request arrives.
from ..engine import adaptive as _adaptive
from ..engine import create_driver, deliver
from ..engine.base import DriveCommand, EngineDriver
from ..engine.batch.pool import ProcessPool
from ..engine.centroidal import generate as _planner  # noqa: F401
from ..engine.centroidal.editing.resolve import resolve_stretch
from ..engine.centroidal.editing.stretch import Stretch
from ..engine.learned.networks import name_network_file
from ..engine.learned.train_body import TrainingPlan, train_body
from ..engine.learned.weights_file import save_network
from ..engine.shared.arrival import with_arrival_speed
from ..errors import FootfallError, ProtocolError
from ..motion import Motion, load_motion, save_motion
from ..task import Task, list_changed_fields, load_task, save_task
from .messages import (
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
    read_request,
)

# Module that is imported by the first training of a walk, as its search takes long to import
CHARACTER_TRAINING = f"{_adaptive.__package__}.character_training"
# Share of the progress of a training that its samples take
SAMPLES_SHARE = 0.5


class Service:
    """Answers requests in order.

    Args:
        output: stream for the answers, one per line.
    """

    def __init__(self, output: IO[str]) -> None:
        self._output = output
        self._drive: _Drive | None = None

    def answer(self, line: str) -> None:
        """Write the answers to the request in a line; no exception is raised."""
        try:
            answer = self._answer_request(read_request(line))
        except ProtocolError as error:
            answer = _describe_fault(error)
        except FootfallError as error:
            answer = ErrorAnswer(str(error))
        except Exception as error:  # the sender waits for an answer, whatever happens
            answer = _describe_fault(error)
        self._send(answer)

    def _answer_request(self, request: Request) -> Answer:
        match request:
            case GenerateRequest():
                return self._generate(request)
            case ResolveRequest():
                motion = resolve_stretch(
                    load_task(request.task_file),
                    load_motion(request.motion_file),
                    Stretch(request.begin, request.end),
                    self._send_progress,
                )
                return _save_result(motion, request.output_folder)
            case TrainRequest():
                return self._train(request)
            case TrainControllerRequest():
                return self._train_controller(request)
            case StartDriveRequest():
                self._drive = _Drive(request)
                return self._drive.describe()
            case AdvanceRequest():
                if self._drive is None:
                    raise ProtocolError("A part was requested before a drive was started.")
                return self._drive.advance(request)

    def _generate(self, request: GenerateRequest) -> Answer:
        """Save the motion of a task; send the task if it is not the requested one."""
        requested = load_task(request.task_file)
        task = requested
        if request.arrival_pace is not None:
            task = with_arrival_speed(task, request.arrival_pace)
            self._send_task(task, requested, request.output_folder)
        delivery = deliver(task, self._send_progress)
        if delivery.task is not task:
            self._send_task(delivery.task, requested, request.output_folder)
        return _save_result(delivery.motion, request.output_folder)

    def _train(self, request: TrainRequest) -> Answer:
        """Train the network of a task's body in its style, on all cores, and save it."""
        task = load_task(request.task_file)
        plan = TrainingPlan(request.segments, request.epochs, request.seed)
        with ProcessPool() as pool:
            trained = train_body(task, plan, pool, self._send_training_progress)
        network_file = request.networks_folder / name_network_file(task)
        save_network(trained.learned, network_file)
        return TrainedAnswer(network_file, trained.describe())

    def _train_controller(self, request: TrainControllerRequest) -> Answer:
        """Train the walk of a task's body, on all cores, and save its controller if it is better.

        Raises:
            TaskError: it is not better than the one before.
        """
        training = import_module(CHARACTER_TRAINING)
        plan = training.CharacterTrainingPlan.from_time(request.seconds, request.seed)
        with ProcessPool() as pool:
            trained = training.train_character(
                load_task(request.task_file), plan, pool, self._send_progress
            )
        trained.check()
        return TrainedAnswer(trained.save(request.controllers_folder), trained.describe())

    def _send_training_progress(self, stage: str, share: float) -> None:
        done = share * SAMPLES_SHARE
        if stage == "training":
            done = SAMPLES_SHARE + share * (1 - SAMPLES_SHARE)
        self._send_progress(stage, done)

    def _send_task(self, task: Task, requested: Task, folder: Path) -> None:
        task_file = folder / "task.toml"
        folder.mkdir(parents=True, exist_ok=True)
        save_task(task, task_file)
        self._send(TaskAnswer(task_file, list_changed_fields(task, requested)))

    def _send_progress(self, stage: str, share: float) -> None:
        self._send(ProgressAnswer(stage, share))

    def _send(self, answer: Answer) -> None:
        print(answer.to_json(), file=self._output)


class _Drive:
    """A live drive."""

    def __init__(self, request: StartDriveRequest) -> None:
        self._driver: EngineDriver = create_driver(load_task(request.task_file))
        self._output_folder = request.output_folder
        self._part_count = 0

    def describe(self) -> DriveReadyAnswer:
        """Return the speeds that the body can reach."""
        speeds = self._driver.speed_range
        return DriveReadyAnswer(speeds.slowest, speeds.fastest)

    def advance(self, request: AdvanceRequest) -> PartAnswer:
        """Compute and save a part of the motion."""
        if request.part_number < self._part_count:
            self._driver.undo_last()
        part = self._driver.advance(DriveCommand(request.speed, request.direction, request.pushes))
        self._part_count = request.part_number + 1
        # The recipient already has the ground, which may be a large mesh.
        bare_part = replace(part, terrain_vertices=None, terrain_triangles=None)
        motion_file = save_motion(bare_part, self._output_folder / str(request.request_number))
        return PartAnswer(request.part_number, request.request_number, motion_file)


def _save_result(motion: Motion, folder: Path) -> MotionAnswer:
    return MotionAnswer(save_motion(motion, folder, compressed=False))


def _describe_fault(error: Exception) -> FaultAnswer:
    return FaultAnswer(
        f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error))
    )
