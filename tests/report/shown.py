"""Reports as a terminal shows them."""

from rich.console import Console

from jimbo.report import Document, terminal


def shown(report: Document) -> str:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(terminal(report), highlight=False, crop=False)
    return capture.get()
