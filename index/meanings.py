"""How near texts are in meaning: the mean of their words' vectors, from a package that ships them.

The package's own loader would fetch a file from the network, so its files are read here.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from index.faults import ExtraMissing

PACKAGE = "wordllama"
WEIGHTS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
# Characters of a text that are read; the mean of more words is hardly another.
MOST_READ = 2_000


class Meanings:
    """Static vectors of English words; loaded once, used by any thread."""

    def __init__(self, folder: Path) -> None:
        self._numpy: Any = importlib.import_module("numpy")
        tokenizers: Any = importlib.import_module("tokenizers")
        self._tokens: Any = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokens.no_padding()
        self._tokens.no_truncation()
        load: Any = importlib.import_module("safetensors.numpy")
        self._vectors: Any = load.load_file(str(folder / WEIGHTS))["embedding.weight"]

    def likeness(self, query: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text and the query, from 0 for nothing in common to 1."""
        sought = self._vector(query)
        return [max(0.0, float(self._vector(text) @ sought)) for text in texts]

    def _vector(self, text: str) -> Any:
        # A title may come from a file name that is no UTF-8.
        read = text[:MOST_READ].encode("utf-8", "replace").decode()
        tokens = self._tokens.encode(read, add_special_tokens=False).ids
        if not tokens:
            return self._numpy.zeros(self._vectors.shape[1], dtype="float32")
        mean = self._vectors[tokens].astype("float32").mean(axis=0)
        return mean / (self._numpy.linalg.norm(mean) or 1.0)


@cache
def meanings() -> Meanings:
    """The vectors; ExtraMissing, which names the extra, where they are not installed."""
    return Meanings(folder_of_vectors())


def folder_of_vectors() -> Path:
    """Where the package keeps its files; ExtraMissing, which names it, if it is not there."""
    found = find_spec(PACKAGE)
    folders = found.submodule_search_locations if found else None
    folder = Path(folders[0]) if folders else None
    if folder is None or not ((folder / WEIGHTS).is_file() and (folder / TOKENIZER).is_file()):
        raise ExtraMissing(
            "the order by meaning needs word vectors, which are not installed",
            "pip install 'corpus-expedition[semantic]', or set retrieval: hybrid",
        )
    return folder
