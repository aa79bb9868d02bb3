"""The commented expedition.yaml that `expedition init` writes: every key, at its default."""

import unicodedata
from pathlib import Path

from index.faults import BadSettings

_TEMPLATE = """\
# Corpus Expedition. Every key is here; a line with # shows what stands if you leave it out.
# An unknown key is an error. Relative paths start at this file's folder.

bases:
  - path: {root}
    # id: the folder's name; tools name a base by it
    # kind: auto                  # catalogue, okf or folder
    # catalogue: corpus_index.md  # the table with one row per file
    # strip_prefix: ""            # taken off the catalogue's file cells, such as Corpus/
    # unlisted: rows              # skip leaves out files that the catalogue does not list
    # exclude: []                 # globs of files to leave out
    # roles:                      # the first rule that matches gives a file its role
    #   - {{match: "VoiceLogs/**", role: lived}}
    #   - {{category: Minyan, role: guidance}}
    #   - {{key: status, value: transcript, role: lived}}
    # lang: ""                    # the language of files that do not say, such as en or nb
    # lang_rules: {{}}              # glob: language, the first that matches
    # dimension: ""               # documents of another dimension are never shown
    # hard_links: false           # true reads files that have a second name

# state: ""                       # a private folder; this platform's own if left out
# briefs: Agent_Briefs            # where briefs are saved; never inside a base
# judge: offline                  # who makes the judgements of `expedition dig`
# judge:                          # or one for each step
#   default: offline
#   steps: {{terms: "", scores: "", pick: ""}}
#   decoys: 0                     # rows that match nothing, hidden in each batch; 3 at most
# judges:                         # your own, by name; keys come from the environment only
#   mine: {{kind: command, command: [my-program]}}
#   local:
#     kind: model
#     model: qwen3
#     base_url: "http://127.0.0.1:11434/v1"
#     provider: ""                # in place of base_url: openai, anthropic and others
#     key_env: ""                 # the variable that holds the key
#     timeout_seconds: 120        # for one answer
#     tries: 5                    # while its endpoint is in trouble
#     backoff_seconds: 1          # before the second try, then doubled
#     concurrent: 1               # questions at the same time; 16 at most
#     max_bytes: 1 MiB            # of an answer

# search:
#   columns: [summary, keypoints, tags]   # where a term is looked for; title is possible too
# retrieval: hybrid               # the order of candidates; also specified and semantic
# engine: whoosh                  # what searches; tantivy for large bases is an extra

# narrator:                       # who a third-person digest would be about
#   names: []
#   nouns: [author, narrator, speaker, writer]

# guidance:                       # your own advice, given back with the answer of its step
#   terms: ""
#   scores: ""
#   pick: ""

# decide:
#   relayed: false                # true lets `expedition decide --from-file` decide for you

# excerpt:                        # words of prose in an excerpt
#   min_words: 150
#   max_words: 500

# limits:
#   file: 4 MiB
#   catalogue: 256 MiB
#   frontmatter: 64 KiB
#   depth: 20                     # levels of YAML
#   nodes: 10000                  # values of YAML, aliases written out
#   keyword: 200                  # characters
#   title: 200
#   draft: 256 KiB

# explore:                        # explorations
#   ceilings:                     # what a contract may ask for at most
#     rounds: 50
#     tokens: 2000000
#     stall_count: 10
#     reset_count: 10
#     plan_revisions: 10
#   require_review: false         # true lets no plan go without a person
#   artefacts: ""                 # where their files lie; the state directory if left out
#   inbox: ""                     # where answers to plans are looked for
#   model: ""                     # a judge of kind model, which drives `explore run`
# http:                           # who may come over `expedition serve --http`
#   tokens: {{}}                    # name: hash, from `expedition token new NAME`
#   hosts: []                     # names that we answer to, beside this machine's
#   origins: []                   # sites whose pages may ask
#   oauth:                        # issuer, resource and jwks, each an address; scopes
#   calls_per_minute: 600         # of one principal
#   calls_at_once: 8
"""


def render_config(root: Path) -> str:
    """The file for one base; only its path is set."""
    path = str(root)
    # In single quotes YAML knows one escape and no such character.
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in path):
        raise BadSettings(f"{path!r} cannot be written down", "rename the folder, or use --kb")
    quoted = path.replace("'", "''")
    return _TEMPLATE.format(root=f"'{quoted}'")
