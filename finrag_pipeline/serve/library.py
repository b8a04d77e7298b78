"""The store from Python: `from finrag_pipeline import FinRag`.

What a question means is the engine's, what is looked up `query.browsing`; this opens the store and
hands both on.
"""

from __future__ import annotations

from contextlib import ExitStack
from datetime import date
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from finrag_pipeline.serve.service import Service, open_service
from finrag_pipeline.settings import Settings, load_settings

if TYPE_CHECKING:
    from finrag_pipeline.query.browsing.communities import CommunityLine, WholeCommunity
    from finrag_pipeline.query.browsing.companies import Company, HouseView, ListedCompany
    from finrag_pipeline.query.browsing.days import DayChanges
    from finrag_pipeline.query.browsing.documents import ListedDocument, WholeDocument
    from finrag_pipeline.query.browsing.figures import Contradiction, Figure
    from finrag_pipeline.query.browsing.graph import Neighbourhood
    from finrag_pipeline.query.browsing.series import Outcomes, Series
    from finrag_pipeline.query.browsing.viewpoint import Paged
    from finrag_pipeline.query.evidence.results import Answer, SearchResult
    from finrag_pipeline.query.question.options import Options

_PART = 50


class FinRag:
    """One store, open, as one application sees it; for any number of threads.

    Every result is a frozen dataclass; what is a list, and what holds one, has `to_pandas()`. Lists
    come in parts of 200 at most: `limit`, `offset`, `total`, `next_offset`.

    Args:
        home: data directory with an embedded store; None: `FINRAG_HOME`.
        url: of a Postgres; None: the embedded store of `home`, else `FINRAG_DATABASE_URL`.
        app: whose documents; None: `FINRAG_APP`.

    Other settings are those of the environment and `.env`.

    Raises:
        ConfigurationError: a setting is malformed.
        StoreUnavailable: the store does not answer.
    """

    def __init__(
        self,
        home: str | PathLike[str] | None = None,
        url: str | None = None,
        app: str | None = None,
    ) -> None:
        settings = _settings(home, url, app)
        self.app = settings.app
        self._stack = ExitStack()
        self._service: Service = self._stack.enter_context(open_service(settings))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store; what was read stays."""
        self._stack.close()

    def search(self, question: str, **options: Any) -> SearchResult:
        """Ranked evidence for a question, no answer.

        Args:
            options: `k`, `company`, `document`, `lane`, `as_of` … as `Options` has them.

        Raises:
            InvalidQuestion: nothing was asked, or for what there is not.
            NotFound: `company`, `document` or `entity` names none or several.
        """
        return self._service.engine().search(question, self._options(options))

    def ask(self, question: str, **options: Any) -> Answer:
        """A cited answer, or a clear word that the documents hold none.

        Args:
            options: `mode`, `kind`, `company`, `document`, `as_of`, `history` … as `Options` has
                them.

        Errors as in `search`.
        """
        return self._service.engine().ask(question, self._options(options))

    def documents(
        self,
        *,
        company: str | None = None,
        as_of: date | None = None,
        limit: int = _PART,
        offset: int = 0,
        **wanted: Any,
    ) -> Paged[ListedDocument]:
        """Documents, the newest first.

        Args:
            company: name, or code of any of its listings.
            wanted: `status`, `kind`, `broker`, `text`, `published_from` … as `DocumentFilter` has
                them.
        """
        from finrag_pipeline.query.browsing import documents

        narrowed = documents.DocumentFilter(**wanted)
        with self._service.browser.view(self.app, as_of) as view:
            return documents.list_documents(
                view, narrowed, company=company, limit=limit, offset=offset
            )

    def document(self, name: str) -> WholeDocument:
        """A document with its pages and places, by its id, its file's name, or a part of that."""
        from finrag_pipeline.query.browsing import documents

        with self._service.browser.view(self.app) as view:
            return documents.document(view, documents.find_document(view, name))

    def figures(
        self,
        company: str | None = None,
        metric: str | None = None,
        *,
        believed: bool = True,
        as_of: date | None = None,
        limit: int = _PART,
        offset: int = 0,
        **wanted: Any,
    ) -> Paged[Figure]:
        """Figures with the cells that print them, the newest period first.

        Args:
            company: name, or code of any of its listings.
            metric: name of a metric, or as documents print it.
            believed: of those that speak of the same only the one that goes before the others.
            wanted: `period`, `nature`, `broker`, `fiscal_year_from` … as `FigureFilter` has them.
        """
        from finrag_pipeline.query.browsing import figures, series

        name = series.metric_named(metric) if metric else None
        narrowed = figures.FigureFilter(metric=name, **wanted)
        with self._service.browser.view(self.app, as_of) as view:
            return figures.list_figures(
                view, narrowed, company=company, believed=believed, limit=limit, offset=offset
            )

    def series(
        self,
        company: str,
        metric: str,
        *,
        period: str | None = "FY",
        last: int = 12,
        as_of: date | None = None,
    ) -> Series:
        """A metric or a formula of a company over time, with cells and workings.

        Args:
            metric: its name (`revenue`, `gross_margin` …), or as documents print it.
            period: part of a fiscal year; None: every part that is reported or expected.
            last: how many of the newest periods.
        """
        from finrag_pipeline.query.browsing import series

        with self._service.browser.view(self.app, as_of) as view:
            return series.series(view, company, metric, period=period, last=last)

    def contradictions(
        self, company: str, *, as_of: date | None = None, limit: int = _PART, offset: int = 0
    ) -> Paged[Contradiction]:
        """What sources on a company say differently of the same."""
        from finrag_pipeline.query.browsing import figures

        with self._service.browser.view(self.app, as_of) as view:
            return figures.contradictions(view, company, limit=limit, offset=offset)

    def outcomes(
        self, company: str | None = None, broker: str | None = None, *, as_of: date | None = None
    ) -> Outcomes:
        """Forecasts of houses beside what was reported since, and how near each house came."""
        from finrag_pipeline.query.browsing import series

        with self._service.browser.view(self.app, as_of) as view:
            return series.outcomes(view, company=company, broker=broker)

    def companies(
        self, text: str = "", *, as_of: date | None = None, limit: int = _PART, offset: int = 0
    ) -> Paged[ListedCompany]:
        """Companies by a code or a part of any name, those with the most documents first."""
        from finrag_pipeline.query.browsing import companies

        with self._service.browser.view(self.app, as_of) as view:
            return companies.list_companies(view, text, limit=limit, offset=offset)

    def company(self, name: str, *, as_of: date | None = None) -> Company:
        """A company: names over time, codes, houses, documents by kind, metrics held."""
        from finrag_pipeline.query.browsing import companies

        with self._service.browser.view(self.app, as_of) as view:
            return companies.company(view, name)

    def views(
        self,
        company: str | None = None,
        broker: str | None = None,
        *,
        as_of: date | None = None,
        limit: int = _PART,
        offset: int = 0,
    ) -> Paged[HouseView]:
        """What houses said of companies, document by document, and what they changed."""
        from finrag_pipeline.query.browsing import companies

        with self._service.browser.view(self.app, as_of) as view:
            return companies.house_views(
                view, company=company, broker=broker, limit=limit, offset=offset
            )

    def neighbours(
        self,
        entity: str,
        *,
        hops: int = 1,
        relations: list[str] | None = None,
        as_of: date | None = None,
        limit: int = 20,
    ) -> Neighbourhood:
        """The entities nearest to one, by its name, code or id, with every edge among them."""
        from finrag_pipeline.query.browsing import graph

        with self._service.browser.view(self.app, as_of) as view:
            entity_id = graph.entity(view, entity).entity_id
            return graph.neighbours(view, [entity_id], hops=hops, limit=limit, relations=relations)

    def communities(
        self,
        week: date | None = None,
        *,
        level: int | None = None,
        as_of: date | None = None,
        limit: int = _PART,
        offset: int = 0,
    ) -> Paged[CommunityLine]:
        """Communities of a weekly build, level by level, the best rated first.

        Args:
            week: any day of it; None: the last.
            level: 0 is the coarsest; None: all.
        """
        from finrag_pipeline.query.browsing import communities

        with self._service.browser.view(self.app, as_of) as view:
            return communities.list_communities(
                view, week=week, level=level, limit=limit, offset=offset
            )

    def community(self, community_id: str, week: date | None = None) -> WholeCommunity:
        """A community of a weekly build with its report, its quotes and its members."""
        from finrag_pipeline.query.browsing import communities

        with self._service.browser.view(self.app) as view:
            return communities.community(view, community_id, week=week)

    def changes(self, since: date, until: date, *, company: str | None = None) -> DayChanges:
        """What the days after one, up to another, brought."""
        from finrag_pipeline.query.browsing.days import changes_since

        with self._service.browser.view(self.app, until) as view:
            return changes_since(view, since, about=company)

    def _options(self, given: dict[str, Any]) -> Options:
        from finrag_pipeline.query.question.options import Options

        return Options(app=self.app, **given)


def _settings(home: str | PathLike[str] | None, url: str | None, app: str | None) -> Settings:
    """The settings of the environment, for the store that is named."""
    changed: dict[str, Any] = {"app": app} if app else {}
    if home is not None:
        changed["home"] = Path(home).expanduser().absolute()
    if home is not None or url is not None:
        changed |= {"database_url": url, "reader_url": None}
    return load_settings().model_copy(update=changed)
