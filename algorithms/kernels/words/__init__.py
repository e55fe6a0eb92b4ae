"""Tables of at most 64 rows, their subtables words: greedy trees and exact minima of many tables."""
