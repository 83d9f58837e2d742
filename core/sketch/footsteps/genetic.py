"""A genetic algorithm for short sequences of whole numbers that are all different.

Source: Kwon et al. 2020, appendix C.6, second scheme.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
Array = NDArray[np.float64]

# four times the paper's: a round of more costs hardly more, and it takes a fifth of the rounds
POPULATION_SIZE = 120
CROSSOVER_RATE = 0.5
MUTATION_RATE = 0.015  # of each gene; of a whole chromosome where it is scrambled
MAX_GENERATIONS = 300
MAX_IDLE_GENERATIONS = 12  # rounds without anything better, after which the search ends
# random chromosomes in each round in place of the worst:
# three genes hold too little to breed from alone
NEWCOMER_COUNT = 15


def evolve_sequence(
    cost: Callable[[IntArray], Array],
    choice_count: int,
    gene_count: int,
    rng: np.random.Generator,
    initial: IntArray | None = None,
) -> IntArray:
    """The best sequence of `gene_count` different numbers below `choice_count`.

    Half of the population mutates by single genes, half by scrambling a chromosome.
    The best one always lives on.

    Args:
        cost: of chromosomes (n, genes), (n,); never asked about a number that appears twice.
        initial: (k, genes) good ones to begin with, such as what was planned a step ago.

    Raises:
        ValueError: fewer choices than genes.
    """
    if choice_count < gene_count:
        raise ValueError(f"There are {choice_count} to choose {gene_count} different ones from.")
    population = _random_chromosomes(POPULATION_SIZE, choice_count, gene_count, rng)
    if initial is not None and len(initial):
        population[: len(initial)] = initial[:POPULATION_SIZE]
    costs = cost(population)
    best = population[costs.argmin()]
    best_cost = float(costs.min())
    idle_generations = 0
    for _ in range(MAX_GENERATIONS):
        children = _mutate(
            _cross_over(_select_parents(population, costs, rng), rng), choice_count, rng
        )
        children[0], children[1 : 1 + NEWCOMER_COUNT] = (
            best,
            _random_chromosomes(NEWCOMER_COUNT, choice_count, gene_count, rng),
        )
        has_repeats = (np.diff(np.sort(children, 1), axis=1) == 0).any(1)
        children[has_repeats] = _random_chromosomes(
            int(has_repeats.sum()), choice_count, gene_count, rng
        )
        population = children
        costs = cost(children)
        idle_generations += 1
        if costs.min() < best_cost - 1e-12:
            best = population[costs.argmin()]
            best_cost = float(costs.min())
            idle_generations = 0
        if idle_generations >= MAX_IDLE_GENERATIONS:
            break
    return best


def _random_chromosomes(
    count: int, choice_count: int, gene_count: int, rng: np.random.Generator
) -> IntArray:
    return np.asarray(rng.random((count, choice_count)).argsort(1)[:, :gene_count], np.int64)


def _select_parents(population: IntArray, costs: Array, rng: np.random.Generator) -> IntArray:
    """As many parents, each the better of two."""
    pair = rng.integers(len(population), size=(len(population), 2))
    return population[np.where(costs[pair[:, 0]] <= costs[pair[:, 1]], pair[:, 0], pair[:, 1])]


def _cross_over(parents: IntArray, rng: np.random.Generator) -> IntArray:
    """Neighbours swap what lies behind a random place."""
    children = parents.copy()
    gene_count = parents.shape[1]
    half = len(parents) // 2
    cut = rng.integers(1, max(gene_count, 2), size=half)
    swap = (np.arange(gene_count) >= cut[:, None]) & (rng.random(half) < CROSSOVER_RATE)[:, None]
    one = parents[0 : 2 * half : 2]
    other = parents[1 : 2 * half : 2]
    children[0 : 2 * half : 2] = np.where(swap, other, one)
    children[1 : 2 * half : 2] = np.where(swap, one, other)
    return children


def _mutate(population: IntArray, choice_count: int, rng: np.random.Generator) -> IntArray:
    mutants = population.copy()
    half = len(population) // 2
    single = mutants[:half]
    single[:] = np.where(
        rng.random(single.shape) < MUTATION_RATE,
        rng.integers(choice_count, size=single.shape),
        single,
    )
    mixed = np.flatnonzero(rng.random(len(mutants) - half) < MUTATION_RATE) + half
    mutants[mixed] = rng.permuted(mutants[mixed], axis=1)
    return mutants
