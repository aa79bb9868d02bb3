"""What a file is to a reader: lived material, guidance, or whatever role the operator gave it."""

from collections.abc import Iterable, Sequence

from index.fields import OwnFields, plain_name
from index.globs import glob_matches
from index.records import RoleRule

# Folder, file or category names that say what a file is where nothing else does.
DEFAULT_ROLES = {
    "voicelog": "lived",
    "voicelogs": "lived",
    "transcript": "lived",
    "transcripts": "lived",
    "minyan": "guidance",
    "blaze": "guidance",
}


def role_of(
    path: str, category: str, own: OwnFields, column: str, rules: Sequence[RoleRule]
) -> str:
    """The file's own word, else the catalogue's, else the first rule that matches, else a name."""
    said = own.text("role") or column
    if said:
        return " ".join(said.split()).casefold()
    for rule in rules:
        if _matches(rule, path, category, own):
            return rule.role
    return _by_name(path, (category, own.text("category"), *own.words("kind")))


def language_of(path: str, own: OwnFields, rules: Iterable[tuple[str, str]], default: str) -> str:
    """The file's own word, else the first folder rule that matches, else the base's default."""
    if own.language:
        return own.language
    return next((lang for glob, lang in rules if glob_matches(glob, path)), default)


def _matches(rule: RoleRule, path: str, category: str, own: OwnFields) -> bool:
    if rule.glob:
        return glob_matches(rule.glob, path)
    if rule.category:
        return plain_name(category) == plain_name(rule.category)
    said = (plain_name(word) for word in own.words(rule.key))
    return bool(rule.key) and plain_name(rule.value) in said


def _by_name(path: str, words: Iterable[str]) -> str:
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0]
    roles = (DEFAULT_ROLES.get(plain_name(word)) for word in (*reversed(folders), stem, *words))
    return next(filter(None, roles), "")
