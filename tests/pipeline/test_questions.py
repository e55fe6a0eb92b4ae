"""Every figure of a summary leads to the rows it is made of: the shared check, and the main job held to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.summary.tables import SummaryTable
from tests.pipeline.questions import check_answers, finished_run, summarised


@pytest.fixture(scope="module")
def documents(finished_once: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, SummaryTable]:
    run = finished_run(finished_once / "outputs")
    return {table.name: table for table in summarised(run, tmp_path_factory.mktemp("again")).documents}


@pytest.mark.parametrize("name", ["cells", "pooled", "best_two"])
def test_the_figures_of_the_main_job_are_answered(
    finished_once: Path, documents: dict[str, SummaryTable], name: str
) -> None:
    check_answers(finished_run(finished_once / "outputs"), documents[name])


def test_a_question_with_another_answer_is_noticed(finished_once: Path, documents: dict[str, SummaryTable]) -> None:
    run, table = finished_run(finished_once / "outputs"), documents["best_two"]
    for question, why in (
        ("", "tells no question"),
        ("select 1 as other from results limit 1", "nothing of the row"),
        ("select {tables} + 1 as tables", "nothing of the row"),
        ("select 1 as tables", "tables is"),
        ("select * from results where false", "no row answers"),
        ("select 'sum' as impurity_type from results", "impurity_type is"),
    ):
        with pytest.raises(AssertionError, match=why):
            check_answers(run, replace(table, question=question))
