"""What the driver of a run does: hold its folder, hand out chunks, take receipts, tell of them, end in order."""
