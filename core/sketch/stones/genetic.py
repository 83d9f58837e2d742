"""A genetic algorithm for short sequences of distinct integers.

Source: Kwon et al. 2020, appendix C.6, second scheme.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class GeneticParameters:
    """Parameters of the genetic algorithm.

    Other values find other stones, and pops that are a degree larger or need a friction of up to
    0.6 instead of 0.44 (docs/dev/parameters.csv).
    test_stones.test_evolution_equals_exhaustive_search guards the search.
    """

    # Chromosomes in a generation. Four times that of the paper: larger generations cost hardly more
    # time each, and a fifth of the generations suffices.
    population_size: int = 120
    # Share of the pairs of parents that exchange genes. That of the paper.
    crossover_rate: float = 0.5
    # Probability that a gene mutates, or that a chromosome is scrambled. That of the paper.
    mutation_rate: float = 0.015
    max_generations: int = 300  # Largest number of generations. That of the paper.
    # Generations without an improvement after which the search ends.
    max_idle_generations: int = 12
    # Random chromosomes added to each generation: three genes alone hold too little variety.
    newcomer_count: int = 15


GENETIC = GeneticParameters()


def evolve_sequence(
    cost: Callable[[IntArray], Array],
    choice_count: int,
    gene_count: int,
    rng: np.random.Generator,
    initial: IntArray | None = None,
) -> IntArray:
    """Return the best sequence of `gene_count` distinct integers below `choice_count`.

    Half of the population mutates by single genes, the other half by scrambling a chromosome. The
    best chromosome always survives.

    Args:
        cost: returns the costs (n,) of chromosomes (n, gene_count) without repeated integers.
        initial: (k, gene_count) good chromosomes to begin with, for example from the previous step.

    Raises:
        ValueError: there are fewer choices than genes.
    """
    if choice_count < gene_count:
        raise ValueError(f"Cannot choose {gene_count} distinct integers from {choice_count}.")
    population = _random_chromosomes(GENETIC.population_size, choice_count, gene_count, rng)
    if initial is not None and len(initial):
        population[: len(initial)] = initial[: GENETIC.population_size]
    costs = cost(population)
    best = population[costs.argmin()]
    best_cost = float(costs.min())
    idle_generations = 0
    for _ in range(GENETIC.max_generations):
        children = _mutate(
            _cross_over(_select_parents(population, costs, rng), rng), choice_count, rng
        )
        children[0] = best
        children[1 : 1 + GENETIC.newcomer_count] = _random_chromosomes(
            GENETIC.newcomer_count, choice_count, gene_count, rng
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
        if idle_generations >= GENETIC.max_idle_generations:
            break
    return best


def _random_chromosomes(
    count: int, choice_count: int, gene_count: int, rng: np.random.Generator
) -> IntArray:
    """Return random sequences of distinct integers. (count, gene_count)."""
    return np.asarray(rng.random((count, choice_count)).argsort(1)[:, :gene_count], np.int64)


def _select_parents(population: IntArray, costs: Array, rng: np.random.Generator) -> IntArray:
    """Return as many parents as there are chromosomes, each the better one of a random pair."""
    pair = rng.integers(len(population), size=(len(population), 2))
    return population[np.where(costs[pair[:, 0]] <= costs[pair[:, 1]], pair[:, 0], pair[:, 1])]


def _cross_over(parents: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the parents after neighbors have exchanged the genes past a random position."""
    children = parents.copy()
    gene_count = parents.shape[1]
    half = len(parents) // 2
    cut = rng.integers(1, max(gene_count, 2), size=half)
    swap = (np.arange(gene_count) >= cut[:, None]) & (rng.random(half) < GENETIC.crossover_rate)[
        :, None
    ]
    one = parents[0 : 2 * half : 2]
    other = parents[1 : 2 * half : 2]
    children[0 : 2 * half : 2] = np.where(swap, other, one)
    children[1 : 2 * half : 2] = np.where(swap, one, other)
    return children


def _mutate(population: IntArray, choice_count: int, rng: np.random.Generator) -> IntArray:
    """Return the population after mutation.

    Genes mutate in one half, and whole chromosomes are scrambled in the other.
    """
    mutants = population.copy()
    half = len(population) // 2
    single = mutants[:half]
    single[:] = np.where(
        rng.random(single.shape) < GENETIC.mutation_rate,
        rng.integers(choice_count, size=single.shape),
        single,
    )
    mixed = np.flatnonzero(rng.random(len(mutants) - half) < GENETIC.mutation_rate) + half
    mutants[mixed] = rng.permuted(mutants[mixed], axis=1)
    return mutants
