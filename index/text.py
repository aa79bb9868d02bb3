"""What every part may know of text, pure and linear: folds, words, stems, hidden characters."""

from index.folds import fold, loose, plain, skeleton, unaccented, without_ignorable
from index.languages import guess, language, settle
from index.segments import (
    Span,
    count_words,
    sentence_spans,
    sentences,
    shingles,
    word_spans,
    words,
)
from index.stems import content_words, stemmed, stems
from index.stop_words import LANGUAGES, stop_words
from index.visible import hidden, visible

__all__ = [
    "LANGUAGES",
    "Span",
    "content_words",
    "count_words",
    "fold",
    "guess",
    "hidden",
    "language",
    "loose",
    "plain",
    "sentence_spans",
    "sentences",
    "settle",
    "shingles",
    "skeleton",
    "stemmed",
    "stems",
    "stop_words",
    "unaccented",
    "visible",
    "without_ignorable",
    "word_spans",
    "words",
]
