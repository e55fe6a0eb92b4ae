"""Where workers come from: this machine, a Dask cluster that runs already, a Slurm queue, machines reached by ssh."""
