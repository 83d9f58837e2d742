"""Choice of the engine Fast for planned tasks that it has a network for."""

from __future__ import annotations

from dataclasses import replace

from ...core.clip import save_style
from ...core.engine.learned.networks import is_predictable
from ...core.task import Task
from ..scene.task import TaskRequest
from ..temp_folders import open_temp_folder
from ..user_files.trained import networks_folder


def prefer_fast_engine(request: TaskRequest) -> TaskRequest:
    """Return a request for the engine Fast if that can do a planned task.

    It can where there is a network for the body and the style, and the task has nothing that the
    engine does not honor. Any other request is returned as it is.
    """
    if request.task.engine != "centroidal" or not _is_predictable(request):
        return request
    return replace(
        request,
        task=replace(request.task, engine="learned"),
        notes=(*request.notes, "Generated with the engine Fast, which has a network for it."),
    )


def _is_predictable(request: TaskRequest) -> bool:
    task: Task = request.task
    if request.style is None:
        return is_predictable(task, networks_folder())
    with open_temp_folder("network") as folder:
        style_file = save_style(request.style, folder / "style.toml")
        return is_predictable(replace(task, style=str(style_file)), networks_folder())
