"""What is learnt from games: one package or module per method."""
