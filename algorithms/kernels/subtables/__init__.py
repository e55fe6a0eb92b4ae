"""The graph of separable subtables, and sets of trees and fronts over it."""
