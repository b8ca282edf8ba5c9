"""Colours that can be read on dark and on light terminals alike.

The sixteen named colours are whatever a terminal makes of them, and its yellow may not show on white. These are fixed
ones of the 256, of middling lightness: each has a contrast of at least 3.3 to 1 with black and with white. Text without
a colour is always readable, so spades have none.
"""

RED = "color(196)"
ORANGE = "color(166)"
GOLD = "color(136)"
GREEN = "color(28)"
CYAN = "color(30)"
BLUE = "color(33)"
PURPLE = "color(98)"
PINK = "color(163)"
QUIET = "color(244)"
"""For what matters less: used instead of "dim", which some terminals make all but invisible."""
PLAIN = "default"
"""The terminal's own."""
