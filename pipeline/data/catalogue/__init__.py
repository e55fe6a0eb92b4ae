"""Data sets by name: their descriptions (`entry`), how files are downloaded (`fetching`) and read (`reading`).

A catalogue is a folder of YAML files, one for each data set: `conf/catalogue/uci/mushroom.yaml` is the set
`uci/mushroom`. A file may describe variants, which are alternatives, not parts: `uci/balloons/adult-stretch`.
"""
