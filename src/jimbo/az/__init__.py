"""An AlphaZero workshop: actors play, a trainer learns, and they know each other only through a store and a file."""
