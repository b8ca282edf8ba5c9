"""Networks learnt from recorded games: one module per method, and the loop they share."""
