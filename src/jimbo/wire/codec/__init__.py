"""One codec of the mod's gamestate: a run is written as one, read from one, and two of them are compared."""
