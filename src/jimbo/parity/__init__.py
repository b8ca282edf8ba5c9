"""Two worlds side by side: what was played in one is played in the other, and the states are compared."""
