"""Numbers as the game shows them."""

import math

_SWITCH = 1e11


def number_text(number: float) -> str:
    """Commas below a hundred thousand million, powers of ten from there on, and ``naneinf`` past the last double.

    >>> number_text(1234567), number_text(2.5), number_text(1.5e13)
    ('1,234,567', '2.5', '1.50e13')
    """
    if math.isnan(number) or math.isinf(number):
        return "-naneinf" if number < 0 else "naneinf"
    if number < 0:
        return f"-{number_text(-number)}"
    if number >= _SWITCH:
        return _power_text(number)
    if number != math.floor(number) and number < 100:
        return f"{number:.{1 if number >= 10 else 2}f}".rstrip("0").rstrip(".")
    return f"{number:,.0f}"


def _power_text(number: float) -> str:
    mantissa, power = f"{number:.3e}".split("e")
    digits = 1 if int(power) >= 100 else 2 if int(power) >= 10 else 3
    return f"{float(mantissa):.{digits}f}e{int(power)}"


def money_text(dollars: float) -> str:
    """``$5`` or ``-$5``."""
    return f"{'-' if dollars < 0 else ''}${number_text(abs(dollars))}"
