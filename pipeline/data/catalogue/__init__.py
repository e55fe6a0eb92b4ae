"""Data sets by name: what each is (`entry`), where its files come from (`fetching`), how they are read (`reading`).

A catalogue is a folder of YAML files, one per data set: `conf/catalogue/uci/mushroom.yaml` is the set `uci/mushroom`. A
file may hold variants, alternatives that are not parts to be joined: `uci/balloons/adult-stretch`.
"""
