"""The language of the balatrobot mod, for those who speak it and those who listen; games that are started from here."""
