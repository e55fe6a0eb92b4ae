"""The configuration keys in which runs differ, by their records alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.configuration.keys import Key
from pipeline.masking import masked_values
from pipeline.record.asked import leaves
from pipeline.record.configuration import kept_configuration
from pipeline.record.provenance import read_record
from pipeline.storage.run_folders import RunFolders

__all__ = ["differing_keys"]

Values = dict[str, tuple[str | None, ...]]


def differing_keys(runs: Sequence[RunFolders]) -> Values:
    """The keys whose values differ, each with the value of each run; None where a run has no such key.

    Keys that say where and how a run is made are left out. Versions of results are among them, and whatever else
    differs in the records where no key does.
    """
    asked = _differing([leaves(masked_values(kept_configuration(run.notes))) for run in runs])
    found = {name: values for name, values in asked.items() if not Key(name, "", None).of_place}
    recorded = _differing([leaves(masked_values((read_record(run.notes) or {}).get("identity", {}))) for run in runs])
    return found | {name: values for name, values in recorded.items() if name.endswith("version") or not found}


def _differing(by_run: Sequence[Mapping[str, str]]) -> Values:
    names = dict.fromkeys(name for own in by_run for name in own)
    values = {name: tuple(own.get(name) for own in by_run) for name in names}
    return {name: own for name, own in values.items() if len(set(own)) > 1}
