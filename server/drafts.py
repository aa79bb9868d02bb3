"""The tool `check_draft`: which brief is meant, how long a draft may be, what was found in it."""

from index.faults import NotFound
from server import refusals
from server.brief import BriefTrouble
from server.brief_file import read_text
from server.brief_text import read_brief
from server.dig import Digs
from server.draft import check_draft
from server.foreseen import as_refusals
from server.replies import Answer, Draft, Next
from server.shelf import find_brief

_ASKED = "check_draft"
_MENDED = Next(tool="check_draft", why="mend these lines, then check the draft again")
_CLEAN = Next(tool="none", why="the draft borrows nothing and quotes only what the brief holds")


def check_against_brief(digs: Digs, brief: str, text: str) -> Answer:
    """The findings in a draft, by line; nothing is stored."""
    settings = digs.settings
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > settings.limits.draft:
        return refusals.invalid_argument(
            _ASKED, f"the draft has {size} bytes", f"send at most {settings.limits.draft}, in parts"
        )
    return as_refusals(_ASKED, lambda: _checked(digs, brief, text))


def _checked(digs: Digs, brief: str, text: str) -> Answer:
    try:
        path = find_brief(digs.settings, brief, digs.asker())
        findings = check_draft(read_brief(read_text(path)), text)
    except (NotFound, BriefTrouble) as fault:
        return refusals.invalid_argument(_ASKED, fault.message, fault.remedy)
    return Draft(brief=path.name, findings=findings, next=_MENDED if findings else _CLEAN)
