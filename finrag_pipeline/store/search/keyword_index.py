"""The keyword lane: a Tantivy copy of what readers see, kept in step with Postgres by each host.

It holds no truth: a lost, foreign or broken copy is built again. How words are made is `words`.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from psycopg import Connection

from finrag_pipeline.errors import StoreUnavailable
from finrag_pipeline.grammar import metrics
from finrag_pipeline.store.database.reader import Reader
from finrag_pipeline.store.search import keyword_log
from finrag_pipeline.store.search.filters import Filter, Hit
from finrag_pipeline.store.search.keyword_check import IndexComparison, compare
from finrag_pipeline.store.search.keyword_copy import CopyFolder, CopyState, read_state, write_state
from finrag_pipeline.store.search.keyword_entries import SCHEMA_VERSION, schema, write_entries
from finrag_pipeline.store.search.keyword_question import read_question, words_of_name
from finrag_pipeline.store.search.keyword_search import holds_all, search_entries
from finrag_pipeline.words import WORDS_VERSION

if TYPE_CHECKING:
    import tantivy

Row = dict[str, Any]

# A change takes milliseconds; one that takes longer is followed at the next search.
_WAIT_FOR_CHANGE_S = 2.0
# 92,000 entries take under a minute to cut into words.
_WAIT_FOR_COPY_S = 120.0


class KeywordIndex:
    """The copies on this host, one an app, for any number of threads and processes.

    Words of other apps neither show in a search nor weigh in its scores.

    Args:
        directory: folder for copies, a subfolder for each database and app: `<home>/keyword`.
        reader: what they follow.
    """

    def __init__(self, directory: Path, reader: Reader) -> None:
        self._directory = directory
        self._reader = reader
        self._guard = threading.Lock()
        self._copies: dict[str, KeywordCopy] = {}

    def search(self, question: str, k: int, where: Filter, metric_share: float = 0.0) -> list[Hit]:
        """As `KeywordCopy.search`, in the copy of the app that is asked."""
        return self.of(where.app_id).search(question, k, where, metric_share)

    def of(self, app_id: str) -> KeywordCopy:
        """The copy of an app; nothing is read yet."""
        with self._guard:
            if app_id not in self._copies:
                self._copies[app_id] = KeywordCopy(self._directory, self._reader, app_id)
            return self._copies[app_id]


class KeywordCopy:
    """The copy of one app's entries on this host.

    Args:
        directory: folder for all copies.
        reader: what the copy follows.
        app_id: whose entries.
    """

    def __init__(self, directory: Path, reader: Reader, app_id: str) -> None:
        self._directory = directory
        self._reader = reader
        self._app_id = app_id
        self._guard = threading.RLock()
        self._generation: Path | None = None
        self._state: CopyState | None = None
        self._index: tantivy.Index | None = None
        self._followed_from = 0.0

    def search(self, question: str, k: int, where: Filter, metric_share: float = 0.0) -> list[Hit]:
        """The `k` best entries by the words and metrics of the question, best first.

        Brings the copy up to date first: it has every change of each transaction that ended
        before all those still open.

        Args:
            metric_share: what the metrics that the question names count beside its words.

        Raises:
            StoreUnavailable: another process has been building the first copy for too long.
        """
        self.sync()
        asked = read_question(question)
        if not asked.words:
            return []
        try:
            return search_entries(self._opened(), asked, k, where, metric_share)
        except ValueError:
            self.rebuild()
            return search_entries(self._opened(), asked, k, where, metric_share)

    def holder(self, where: Filter) -> Callable[[str], bool]:
        """What tells whether any entry that passes a filter holds a name, however others cut it.

        The copy is brought up to date once, here, and not again for every name.

        Raises:
            StoreUnavailable: another process has been building the first copy for too long.
        """
        self.sync()
        opened = self._opened()
        return lambda name: holds_all(opened, words_of_name(name), where)

    def sync(self) -> bool:
        """Follow the database, building the copy where there is none that can be used.

        Returns:
            Whether the copy is up to date; False while another process is at work on it.
        """
        asked = time.monotonic()
        with self._guard:
            # of many who ask at once, one looks for all that came before it did
            if self._followed_from > asked:
                return True
            began = time.monotonic()
            in_step = self._sync()
            if in_step:
                self._followed_from = began
            return in_step

    def behind_s(self) -> float | None:
        """Seconds since the oldest change that the copy lacks; 0 where it has all, None where there
        is no copy yet. A copy follows when it is searched."""
        generation = self._folder.current()
        state = read_state(generation) if generation else None
        if state is None:
            return None
        with self._snapshot() as connection:
            return keyword_log.waiting_s(connection, state.horizon)

    def rebuild(self) -> None:
        """Build the copy again beside the one in use, and swap."""
        with self._guard:
            self._build(_WAIT_FOR_COPY_S, replace=self._generation)

    def verify(self, on: date) -> IndexComparison:
        """Compare with the store what changed since the last comparison, and a part of the rest.

        Args:
            on: the day, which chooses the part.
        """
        with self._guard:
            self.sync()
            with self._folder.lock(_WAIT_FOR_COPY_S) as held, self._snapshot() as connection:
                if self._open_current():
                    self._follow(connection)
                state = self._required_state()
                comparison, differing = compare(connection, self._opened(), state, on)
                if held:
                    self._keep(replace(state, verified=state.horizon, suspects=differing))
        return comparison

    def _sync(self) -> bool:
        try:
            usable, changed = self._looked()
            if usable and not changed:
                return True
            if not usable:
                return self._build(_WAIT_FOR_COPY_S)
            with self._folder.lock(_WAIT_FOR_CHANGE_S) as held:
                if not held:
                    return False
                if self._open_current():
                    self._follow()
                    return True
        except (keyword_log.LogPruned, ValueError):
            pass  # or the files are damaged
        return self._build(_WAIT_FOR_COPY_S, replace=self._generation)

    def _looked(self) -> tuple[bool, bool]:
        """Whether the copy can be used, and whether it lacks a change: one reading, since every
        search asks."""
        if not self._opens(self._folder.current()):
            return False, False
        since = self._required_state().horizon
        with self._snapshot() as connection:
            # else the database was put back to an earlier state
            return keyword_log.lacks(connection, since)

    @cached_property
    def _folder(self) -> CopyFolder:
        of_app = sha256(self._app_id.encode()).hexdigest()[:16]
        return CopyFolder(self._directory / self._store_id / of_app)

    @cached_property
    def _store_id(self) -> str:
        with self._snapshot() as connection:
            return keyword_log.store_id(connection)

    @cached_property
    def _version(self) -> str:
        made = f"{SCHEMA_VERSION}.{WORDS_VERSION}.{metrics.fingerprint()}"
        used = ("rjieba", "snowballstemmer", "tantivy")
        return " ".join([made, *map(version, used)])

    def _required_state(self) -> CopyState:
        assert self._state is not None  # set by every `_open_current` that was true
        return self._state

    def _opened(self) -> tantivy.Index:
        if self._index is None:
            raise StoreUnavailable(
                f"the keyword index in {self._folder.directory} is being built by another "
                "process: ask again in a minute"
            )
        return self._index

    def _open_current(self) -> bool:
        """Open what the pointer names, or look again at what is open; whether it can be used."""
        if not self._opens(self._folder.current()):
            return False
        with self._snapshot() as connection:
            return self._required_state().horizon <= keyword_log.horizon(connection)

    def _opens(self, generation: Path | None) -> bool:
        """The same, whatever the database says of it."""
        import tantivy

        state = read_state(generation) if generation else None
        if (
            generation is None
            or state is None
            or (state.store_id, state.version) != (self._store_id, self._version)
        ):
            return False
        try:
            if generation != self._generation or self._index is None:
                self._index = tantivy.Index.open(str(generation))
            elif state != self._state:
                self._index.reload()
        except (ValueError, OSError):
            return False
        self._generation, self._state = generation, state
        return True

    def _snapshot(self) -> AbstractContextManager[Connection[Row]]:
        return self._reader.reading(self._app_id)

    def _follow(self, connection: Connection[Row] | None = None) -> None:
        if connection is None:
            with self._snapshot() as snapshot:
                return self._follow(snapshot)
        state = self._required_state()
        changed, horizon = keyword_log.changed(connection, state.horizon)
        if not changed:
            return None
        index = self._opened()
        write_entries(index, keyword_log.entries(connection, changed), replacing=changed)
        self._keep(replace(state, horizon=horizon))
        index.reload()
        return None

    def _keep(self, state: CopyState) -> None:
        assert self._generation is not None  # set with the state that this one follows
        write_state(self._generation, state)
        self._state = state

    def _build(self, timeout_s: float, replace: Path | None = None) -> bool:
        import tantivy

        with self._folder.lock(timeout_s) as held:
            # another process may have built it while this one waited
            usable = self._open_current() and self._generation != replace
            if not held or usable:
                return usable
            generation = self._folder.new_generation()
            index = tantivy.Index(schema(), path=str(generation))
            with self._snapshot() as connection:
                horizon = keyword_log.horizon(connection)
                state = CopyState(self._store_id, self._version, horizon, verified=horizon)
                write_entries(index, keyword_log.entries(connection, None), replacing=())
            write_state(generation, state)
            self._folder.publish(generation)
            # copies of all apps in one, as releases before kept them
            for older in self._folder.directory.parent.glob("g-*"):
                shutil.rmtree(older, ignore_errors=True)
            index.reload()
            self._generation, self._state, self._index = generation, state, index
            return True
