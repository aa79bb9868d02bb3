"""What the program promises, by id; the tests marked with an id prove it."""

REQUIREMENTS: dict[str, str] = {
    "config:unknown-key": "An unknown key is an error that names file, line and the nearest key.",
    "config:one-base-one-place": "Two bases with one id, or one inside another, stop the start.",
    "config:nothing-in-a-base": "State and briefs are never kept inside a base.",
    "config:zero": "A folder named with --kb works unconfigured, under the folder's name.",
    "state:private": "A state directory that others could write, or that is a link, is refused.",
    "setup:doctor": "Doctor says what is wrong, with or without a base; its exit code tells.",
    "setup:init": "Init writes a configuration that loads, never over a file or into the base.",
    "setup:nothing-installed": "make sets up from a bare Python 3.11, even one without ensurepip.",
    "setup:offline": "A set-up tree needs no network again.",
    "setup:old-python": "Without a Python 3.11 make says so in one sentence.",
}
