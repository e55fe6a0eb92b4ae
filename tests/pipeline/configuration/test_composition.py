"""Composing configurations: several at once, as the summary of a run and the next run of a sweep do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from pipeline.configuration.composition import composed_of


def test_configurations_can_be_composed_at_the_same_time() -> None:
    seeds = range(12)
    with ThreadPoolExecutor(4) as threads:
        result = list(threads.map(lambda seed: composed_of("worked_examples", [f"seed={seed}"]).seed, seeds))
    assert result == list(seeds)
