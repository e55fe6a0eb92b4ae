"""Ways to build a decision tree: arrays in, trees and numbers out. Nothing here knows of files, clusters or screens."""
