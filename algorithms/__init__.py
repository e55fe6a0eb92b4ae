"""Ways to build a decision tree: arrays in, trees and numbers out. No module here uses files, clusters or screens."""
