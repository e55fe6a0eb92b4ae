"""Trees that are best of all: T2, T3, T3C; optimal classification trees as a mixed-integer programme, and by search."""
