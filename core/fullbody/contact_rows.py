"""Linearized contact constraints of limbs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ContactRows:
    """Contact of one limb at n frames: rows @ x + error = 0 for a change x of the pose."""

    rows: Array  # Jacobian of the error, (n, r, nv)
    error: Array  # Distance from the place of rest, [m] or [rad], (n, r)


def find_used_rows(
    contacts: list[ContactRows], counts: list[NDArray[np.int64]]
) -> NDArray[np.bool_]:
    """Return which contact rows of all limbs are in use, shape (n, r).

    Args:
        contacts: contacts of each limb.
        counts: number of rows in use of each limb, shape (n,).
    """
    return np.concatenate(
        [
            np.arange(contact.rows.shape[1]) < count[:, None]
            for contact, count in zip(contacts, counts, strict=True)
        ],
        1,
    )


def pack_contacts(contacts: list[ContactRows], is_used: NDArray[np.bool_]) -> ContactRows:
    """Return the contact rows of all limbs, with those in use (n, r) first."""
    order = np.argsort(~is_used, axis=1, kind="stable")
    all_rows = np.concatenate([contact.rows for contact in contacts], 1)
    all_errors = np.concatenate([contact.error for contact in contacts], 1)
    return ContactRows(
        np.take_along_axis(all_rows, order[..., None], 1),
        np.take_along_axis(all_errors, order, 1),
    )
