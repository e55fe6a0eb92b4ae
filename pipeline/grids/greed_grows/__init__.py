"""The grid `greed_grows`."""
