"""Reports: what a result says, once, as sections for the terminal and for a page that needs nothing else."""

from jimbo.report.render import html, markdown, terminal
from jimbo.report.sections import Document, Headline, Section, TextTable

__all__ = ["Document", "Headline", "Section", "TextTable", "html", "markdown", "terminal"]
