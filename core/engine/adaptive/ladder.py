"""Ladder of difficulty that the offline optimization climbs down: helper force and ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .evaluation import Stage


@dataclass(frozen=True)
class Rung:
    """One step of the ladder.

    Args:
        helper_limit: largest helper force [N].
        field_share: share of the heights of grounds that is used.
        variety: share of the ranges of starts, step lengths and turns.
        half_cycles: of each walk.
        walks: number of walks of each sample.
    """

    helper_limit: float
    field_share: float = 1.0
    variety: float = 1.0
    half_cycles: int = 8
    walks: int = 1


RUNGS = (
    Rung(80.0, 0.2, 0.2),
    Rung(50.0, 0.2, 0.2),
    Rung(30.0, 0.25, 0.25),
    Rung(20.0, 0.25, 0.25),
    Rung(14.0, 0.25, 0.3),
    Rung(10.0, 0.25, 0.3),
    Rung(7.0, 0.25, 0.3),
    Rung(5.0, 0.25, 0.3),
    Rung(3.5, 0.25, 0.25),
    Rung(2.5, 0.25, 0.25),
    Rung(1.5, 0.25, 0.25),
    Rung(0.8, 0.25, 0.25),
    Rung(0.4, 0.25, 0.25),
    Rung(0.0, 0.25, 0.25),
    Rung(0.0, 0.5, 0.5),
    Rung(0.0, 0.75, 0.75, 10, walks=2),
    Rung(0.0, 1.0, 1.0, 12, walks=2),
)
# Largest heights of grounds, of which the generations use as many as walks in turn [m]
FIELD_HEIGHTS = (0.0, 0.1, 0.05, 0.2)


@dataclass(frozen=True)
class LadderRules:
    """When the next rung is taken.

    Args:
        survival: share of the samples without a fall that makes a generation good.
        good_generations: surplus of good over other generations that is needed.
        sigma_factor: by which the search widens when a rung is taken.
        max_sigma: up to which it widens.
    """

    survival: float = 0.5
    good_generations: int = 3
    sigma_factor: float = 1.15
    max_sigma: float = 0.12


RULES = LadderRules()


@dataclass(frozen=True)
class LadderState:
    """Place on the ladder.

    Args:
        rung: from 0.
        surplus: of good generations over others on this rung.
    """

    rung: int = 0
    surplus: int = 0

    @property
    def current(self) -> Rung:
        """The rung."""
        return RUNGS[self.rung]

    def make_stage(self, generation: int) -> Stage:
        """Return the difficulty of a generation."""
        rung = self.current
        heights = [
            FIELD_HEIGHTS[(generation * rung.walks + k) % len(FIELD_HEIGHTS)]
            for k in range(rung.walks)
        ]
        return Stage(
            rung.helper_limit,
            rung.half_cycles,
            tuple(round(rung.field_share * height, 4) for height in heights),
            variety=rung.variety,
        )

    def count(self, survival: float) -> LadderState:
        """Return the state after a generation, of which a share of the samples survived."""
        surplus = max(self.surplus + (1 if survival >= RULES.survival else -1), 0)
        if surplus >= RULES.good_generations and self.rung + 1 < len(RUNGS):
            return LadderState(self.rung + 1, 0)
        return replace(self, surplus=surplus)
