"""How many decimals numbers are shown with, at the limits of each rule."""

import pytest

from pipeline.summary.rounding import as_printed, reader_of


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.12345, 1234.5], ["0.1235", "1234"]),  # ten thousand times as large: each number has its own
        ([0.12345, 1233.9], ["0.12", "1234"]),  # only 0, or a rounding error, is shown as 0
        ([1.0, 0.34, 0.00045, 0.0005, 0.0], ["1.000", "0.340", "0.00045", "0.001", "0.000"]),
        ([1 / 3e9, 1 / 7e9], ["0.0000000003", "0.0000000001"]),  # at most ten decimals
    ],
)
def test_numbers_of_a_column_have_the_same_decimals_unless_sizes_differ_too_much(
    values: list[float], shown: list[str]
) -> None:
    read = reader_of("error", values)
    assert [read(value) for value in values] == shown


@pytest.mark.parametrize(
    ("figure", "text", "scale", "shown"),
    [
        (0.71, "71.0", 0.01, "0.710"),
        (71.0, "71.0", 1.0, "71.0"),
        (71.0, "0.710", 100.0, "71.0"),
        (1700.0, "17", 100.0, "1700"),
        (2 / 3, None, 1.0, "0.666667"),
    ],
)
def test_a_printed_figure_keeps_the_digits_of_its_text(
    figure: float, text: str | None, scale: float, shown: str
) -> None:
    assert as_printed(figure, text, scale) == shown
