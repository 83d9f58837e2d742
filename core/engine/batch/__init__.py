"""Batches: work that is done once for each of many items, by any executor.

Results are files in a folder that all workers share. They depend on the items and their seeds, and
not on the executor, its number of workers or the order in which they finish.
"""

from __future__ import annotations

from .batch import Batch, JobResult
from .cluster import open_cluster
from .pool import ProcessPool
from .run import run_batch

__all__ = ["Batch", "JobResult", "ProcessPool", "open_cluster", "run_batch"]
