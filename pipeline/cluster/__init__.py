"""Clusters: this machine, a running Dask cluster, a Slurm queue, machines reached by ssh."""
