"""What documents print, and which of it the tables of runs hold true."""
