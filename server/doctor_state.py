"""Can digs be kept and briefs be saved, so that a crash or another user cannot spoil them?"""

import os
import stat
from pathlib import Path
from tempfile import NamedTemporaryFile

from index.faults import StorageTrouble
from server.config import Settings
from server.findings import Check, checked, note, ok, trouble
from server.folders import make_private

ANOTHER = "name another with `briefs` in the configuration"


def state(settings: Settings) -> list[Check]:
    """Whether digs can be kept and briefs saved."""
    private = checked("state", lambda: _private(settings.state))
    if private.outcome == "trouble":
        return [private]
    durable = checked("durability", lambda: _durable(settings.state))
    store = checked("store", lambda: _store(settings.state))
    asked = checked("passphrase", lambda: _passphrase(settings.state))
    return [private, durable, store, asked, _briefs(settings.briefs)]


def _private(folder: Path) -> Check:
    make_private(folder)
    mode = folder.stat().st_mode & 0o777
    if mode & 0o077:
        return note("state", f"{folder} can be read by others", f"chmod 700 {folder}")
    return ok("state", str(folder))


def _durable(folder: Path) -> Check:
    """What is written can be forced to the disk, locked and renamed."""
    import fcntl

    try:
        with NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(b"written")
            file.flush()
            os.fsync(file.fileno())
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.link(file.name, file.name + ".linked")
            Path(file.name + ".linked").unlink()
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StorageTrouble(
            f"{folder}: {error.strerror}", "keep state on a local disk: --state PATH"
        ) from error
    return ok("durability", "fsync, locks and links work in the state directory")


def _store(folder: Path) -> Check:
    from server.store import Busy, Store

    try:
        damage = Store(folder).check()
    except Busy:
        return note("store", "in use by another process for the whole wait", "look again later")
    if damage:
        return trouble("store", "; ".join(damage), "keep a copy and restore a backup", code=4)
    return ok("store", "whole")


def _passphrase(folder: Path) -> Check:
    from server.passphrase import NAME, demand_whole, is_set

    path = folder / NAME
    if not is_set(folder):
        return ok("passphrase", "none is set; a decision on this machine has the level local")
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        return trouble(
            "passphrase", f"{path} is no file of yours", "delete it: expedition passphrase set", 4
        )
    if found.st_mode & 0o077:
        return trouble("passphrase", f"{path} can be read by others", f"chmod 600 {path}", 4)
    try:
        demand_whole(folder)
    except StorageTrouble as damage:
        return trouble("passphrase", damage.message, damage.remedy, 4)
    return ok("passphrase", "set; only a decision made with it opens a brief")


def _briefs(folder: Path) -> Check:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if folder.is_symlink() or not existing.is_dir():
        return trouble("briefs", f"{folder} is no folder", ANOTHER, 4)
    if not os.access(existing, os.W_OK | os.X_OK):
        return trouble(
            "briefs", f"{existing} cannot be written to", "name another in the config", 4
        )
    return ok("briefs", str(folder))
