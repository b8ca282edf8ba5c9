"""The language of balatrobot: calls, what their answers tell of a run, and games that are started from here."""
