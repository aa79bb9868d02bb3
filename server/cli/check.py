"""`expedition check DRAFT --brief BRIEF`: what a draft borrows, and quotes from nowhere."""

import sys
from pathlib import Path

import click

from server.cli.options import json_option, settings_options
from server.cli.output import emit
from server.config import Settings


@click.command("check")
@click.argument("draft", type=click.Path(path_type=Path))
@click.option(
    "--brief", "named", required=True, metavar="BRIEF", help="A brief's path, name or dig."
)
@json_option
@settings_options
def command(settings: Settings, draft: Path, named: str, as_json: bool) -> None:
    """Find banned phrases in DRAFT, and quotations that its brief does not hold; exit 1 if any.

    Example: expedition check draft.md --brief Agent_Briefs/2026-11-30-the-long-winter.md
    """
    from server.brief_file import read_text
    from server.brief_text import read_brief
    from server.draft import check_draft
    from server.shelf import locate_brief
    from server.shown import visible_line

    brief = locate_brief(settings, named)
    findings = check_draft(read_brief(read_text(brief)), read_text(draft, settings.limits.draft))
    if as_json:
        emit({"brief": brief, "draft": draft, "findings": findings})
    else:
        for finding in findings:
            print(f"{draft}:{finding.line}: {finding.kind}: {visible_line(finding.text)}")
        print(f"{len(findings)} findings" if findings else "Nothing found.")
    if findings:
        sys.exit(1)
