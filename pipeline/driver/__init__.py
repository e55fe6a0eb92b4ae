"""The driver of a run: locks its folder, hands out chunks, takes receipts, reports progress, and ends in order."""
