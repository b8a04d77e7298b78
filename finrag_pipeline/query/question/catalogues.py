"""The catalogues of the apps that were asked for, kept in memory and brought up to date by what
changed: 10,000 documents are read once a process.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable

from finrag_pipeline.query.question.catalogue import Catalogue, DocumentFacts
from finrag_pipeline.query.question.registered import NONE_REGISTERED, Registered
from finrag_pipeline.query.question.same_company import of_minutes, of_note
from finrag_pipeline.stages.identity.company_keys import company_key, name_of_file
from finrag_pipeline.store.database.connections import Connection, Row
from finrag_pipeline.store.documents import catalogue
from finrag_pipeline.store.documents.catalogue import Catalogued


class Catalogues:
    """The catalogue of each app that was asked for, for any number of threads.

    Args:
        registered: companies that there are.
    """

    def __init__(self, registered: Registered = NONE_REGISTERED) -> None:
        self._registered = registered
        self._held: dict[str, Catalogue] = {}
        self._guard = threading.Lock()

    def of(self, connection: Connection[Row], app_id: str) -> Catalogue:
        """An app's catalogue with every change that the connection sees.

        Args:
            connection: a reading of the app by no day: days are the question's.
        """
        with self._guard:
            held = self._held.get(app_id)
            changed = catalogue.changes(connection, held.horizon if held else 0)
            ids = changed.document_ids if held else None
            if held and ids == ():
                return held
            documents = dict(held.documents) if held and ids is not None else {}
            known = dict(held.known) if held and ids is not None else {}
            for document_id in ids or ():
                documents.pop(document_id, None)
            new = facts_of(catalogue.documents(connection, app_id, ids))
            codes = {code for each in new.values() for code in each.codes}
            known |= catalogue.known_names(connection, app_id, codes)
            self._held[app_id] = Catalogue(
                documents | new, known, changed.horizon, self._registered
            )
            return self._held[app_id]


def facts_of(rows: Iterable[Catalogued]) -> dict[str, DocumentFacts]:
    """Documents by their ids, with what names and codes make of their companies."""
    found: dict[str, DocumentFacts] = {}
    for row in rows:
        name = row.company_name or name_of_file(row.source, row.kind)
        name = name or of_minutes(row.source) or of_note(row)
        codes = frozenset(filter(None, [row.company_code, *row.company_codes]))
        key = company_key(name, row.company_code)
        found[row.document_id] = DocumentFacts(row, name, key, codes)
    return found
