"""Which excerpts may anchor a voice: lived, verbatim, in the first person; or vouched for."""

from server.dig_state import Candidate, DigState

MOST = 5


def may_anchor(state: DigState, candidate: Candidate) -> bool:
    """Whether the role allows it: lived; or any but guidance in a base that states no roles."""
    if candidate.row.role == "lived" or candidate.via in ("pointed", "dictated"):
        return candidate.row.role != "guidance"
    return "ROLE_UNSTATED" in state.flags and candidate.row.role != "guidance"


def anchors_in(state: DigState, ids: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the ids whose excerpts anchor the voice by themselves, in order."""
    return tuple(
        id_
        for id_ in ids
        if id_ in state.evidence
        and state.evidence[id_].voice.outcome == "passed"
        and may_anchor(state, state.candidates[id_])
    )


def may_vouch(state: DigState, id_: str) -> bool:
    """Whether a person's word is asked: where the gate could not tell, never against it."""
    evidence = state.evidence.get(id_)
    undecidable = evidence is not None and evidence.voice.outcome == "undecidable"
    return undecidable and may_anchor(state, state.candidates[id_])


def kept_anchors(state: DigState) -> tuple[str, ...]:
    """The kept excerpts that anchor the voice: by the gate, or undecidable and vouched for."""
    if state.decision is None:
        return ()
    keep = state.decision.keep
    vouched = tuple(id_ for id_ in state.decision.vouched if id_ in keep and may_vouch(state, id_))
    return tuple(dict.fromkeys((*anchors_in(state, keep), *vouched)))


def anchor_line(state: DigState) -> str:
    """What the brief says of its voice anchor; `MISSING` if it has none."""
    if state.context.voice != "Carbon":
        return f"not required ({state.context.voice})"
    anchors = kept_anchors(state)
    if not anchors:
        return "MISSING"
    first = anchors[0]
    path, voice = state.candidates[first].row.path, state.evidence[first].voice
    if voice.outcome != "passed":
        return f"{path} — vouched by person"
    return f"{path} — first-person body prose confirmed, {voice.paragraphs} paragraphs"
