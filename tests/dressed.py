"""The same text in other clothes: changes of setting that must not change a verdict."""

from collections.abc import Callable

WIDE = {code: code + 0xFEE0 for code in range(ord("!"), ord("~") + 1)}
LETTERS_WIDE = {code: wide for code, wide in WIDE.items() if chr(code).isalnum()}

Change = Callable[[str], str]

CAPITALS: dict[str, Change] = {"case": lambda text: text.upper()}
CLOTHES: dict[str, Change] = {
    "width": lambda text: text.translate(LETTERS_WIDE),
    "NBSP": lambda text: text.replace(" ", "\u00a0"),
    "zero width": lambda text: text.replace("a", "a\u200b").replace("t", "\u2060t"),
    "soft hyphens": lambda text: text.replace("ll", "l\u00adl"),
    "wrapping": lambda text: text.replace(", ", ",\n"),
    "emphasis": lambda text: text.replace("the ", "*the* ").replace("of ", "__of__ "),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
}
