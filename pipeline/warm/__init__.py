"""Kernels compiled beforehand."""
