"""A base whose lived material no gate can hear: to anchor a voice here takes a person."""

from collections.abc import Sequence
from pathlib import Path

from server.dig import Digs
from server.dig_state import DigState
from tests.digging import drive, open_dig
from tests.rows_made import make_base

# Estonian: no word list knows it.
LUKE = (
    "Ma istusin ahju juures ja ootasin kuni kivi oli soe. Ma mäletan et vanaema tuli aiast ja "
    "pani leiva lauale. Meie koer magas ukse ees ja keegi ei rääkinud.\n\n"
    "Mul oli tol talvel üks palitu ja üks raamat. Ma lugesin seda akna all nii kaua kui valgust "
    "jätkus ja siis läksin ma välja puid tooma."
)
HEARD = (
    "I sat by the oven until the stone was warm. I had nothing to read, so I counted the planks "
    "of the ceiling, and my grandmother laughed at me.\n\n"
    "I still count planks when I wait. My wife says that I do it with my lips."
)
TOLD = "The oven was built by a mason from the coast. It burned birch and it was lit at dawn."
FILES = {
    "Logs/ahi.md": f"---\nrole: lived\nsummary: An oven in a winter far north.\n---\n\n{LUKE}\n",
    "Essays/oven.md": f"---\nrole: essay\nsummary: How an oven is built.\n---\n\n{TOLD}\n",
    "Letters/planks.md": f"---\nrole: letter\nsummary: Counting.\n---\n\n{HEARD}\n",
    "Guides/keeper.md": f"---\nrole: guidance\nsummary: Keep.\n---\n\n{HEARD}\n",
}
UNHEARD = "Logs/ahi.md"
LETTER = "Letters/planks.md"
GUIDE = "Guides/keeper.md"
TERMS = ("oven", *(f"masonry{letter}" for letter in "abcdefghi"))
CONTEXT = {
    "keyword_primary": "xylem",
    "title": "A quiet xylem",
    "voice": "Carbon",
    "archetype_primary": "",
    "blaze_path": None,
}


def write_voices_base(folder: Path) -> Path:
    """The base, written below a folder that need not exist."""
    return Path(make_base(folder, FILES).root)


def reported_on(digs: Digs, picks: Sequence[str], **context: object) -> DigState:
    """The report on a dig here, in which these files were picked."""
    dig = open_dig(digs, **{**CONTEXT, **context})
    digs.retrieve_candidates(dig, list(TERMS))
    state = drive(digs, dig, "scored")
    hits = [one.id for path in picks for one in state.top if one.row.path == path]
    digs.pick_scotoma(dig, {"deep_cuts": [], "direct_hits": hits, "pass4_empty": True})
    return drive(digs, dig)
