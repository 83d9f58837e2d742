"""A genetic algorithm for short sequences of whole numbers that are all different.

Source: Kwon et al. 2020, appendix C.6, second scheme.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
Array = NDArray[np.float64]

POPULATION = 120     # four times the paper's: a round of more costs hardly more, and it takes a fifth of the rounds
CROSSOVER = 0.5
MUTATION = 0.015      # of each gene; of a whole chromosome where it is scrambled
MOST_ROUNDS = 300
PATIENCE = 12         # rounds without anything better, after which the search ends
NEWCOMERS = 15        # random chromosomes in each round in place of the worst: three genes hold too little to breed from alone


def evolve(cost: Callable[[Whole], Array], choices: int, genes: int, rng: np.random.Generator,
           known: Whole | None = None) -> Whole:
    """The best sequence of `genes` different numbers below `choices`.

    Half of the population mutates by single genes, half by scrambling a chromosome. The best one always lives on.

    Args:
        cost: of chromosomes (n, genes), (n,); never asked about a number that appears twice.
        known: (k, genes) good ones to begin with, such as what was planned a step ago.

    Raises:
        ValueError: fewer choices than genes.
    """
    if choices < genes:
        raise ValueError(f"There are {choices} to choose {genes} different ones from.")
    people = _anyone(POPULATION, choices, genes, rng)
    if known is not None and len(known):
        people[:len(known)] = known[:POPULATION]
    value = cost(people)
    best, least, idle = people[value.argmin()], float(value.min()), 0
    for _ in range(MOST_ROUNDS):
        children = _mutated(_crossed(_chosen(people, value, rng), rng), choices, rng)
        children[0], children[1:1 + NEWCOMERS] = best, _anyone(NEWCOMERS, choices, genes, rng)
        twice = (np.diff(np.sort(children, 1), axis=1) == 0).any(1)
        children[twice] = _anyone(int(twice.sum()), choices, genes, rng)
        people, value = children, cost(children)
        idle += 1
        if value.min() < least - 1e-12:
            best, least, idle = people[value.argmin()], float(value.min()), 0
        if idle >= PATIENCE:
            break
    return best


def _anyone(count: int, choices: int, genes: int, rng: np.random.Generator) -> Whole:
    return np.asarray(rng.random((count, choices)).argsort(1)[:, :genes], np.int64)


def _chosen(people: Whole, value: Array, rng: np.random.Generator) -> Whole:
    """As many parents, each the better of two."""
    pair = rng.integers(len(people), size=(len(people), 2))
    return people[np.where(value[pair[:, 0]] <= value[pair[:, 1]], pair[:, 0], pair[:, 1])]


def _crossed(parents: Whole, rng: np.random.Generator) -> Whole:
    """Neighbours swap what lies behind a random place."""
    out, genes = parents.copy(), parents.shape[1]
    half = len(parents) // 2
    cut = rng.integers(1, max(genes, 2), size=half)
    swap = (np.arange(genes) >= cut[:, None]) & (rng.random(half) < CROSSOVER)[:, None]
    one, other = parents[0:2 * half:2], parents[1:2 * half:2]
    out[0:2 * half:2], out[1:2 * half:2] = np.where(swap, other, one), np.where(swap, one, other)
    return out


def _mutated(people: Whole, choices: int, rng: np.random.Generator) -> Whole:
    out, half = people.copy(), len(people) // 2
    single = out[:half]
    single[:] = np.where(rng.random(single.shape) < MUTATION, rng.integers(choices, size=single.shape), single)
    mixed = np.flatnonzero(rng.random(len(out) - half) < MUTATION) + half
    out[mixed] = rng.permuted(out[mixed], axis=1)
    return out
