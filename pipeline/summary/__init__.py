"""What a summary is made of: tables of plain values, their statistics and their verdicts."""
