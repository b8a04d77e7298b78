"""`finrag estimate`: what a chat model would be asked about files, and what that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finrag_pipeline.serve.cli.options import App, Json, print_json, print_table, settings_for
from finrag_pipeline.settings import today

if TYPE_CHECKING:
    from finrag_pipeline.pipelines.documents.estimate import Amount, AssetEstimate, Estimate, Range


def estimate(
    paths: Annotated[list[str], typer.Argument(help="Files, folders or URLs such as s3://…")],
    app: App = "",
    as_json: Json = False,
) -> None:
    """Tell what a chat model would be asked about files: calls, tokens, money. Nothing is asked."""
    from finrag_pipeline.models.chat import Prices, prices_of
    from finrag_pipeline.pipelines.documents.estimate import estimate as estimate_run
    from finrag_pipeline.pipelines.run.run import Run
    from finrag_pipeline.store.database.connections import Database
    from finrag_pipeline.store.documents import sources
    from finrag_pipeline.store.documents.documents import Scope

    settings = settings_for(app)
    for path in paths:
        sources.discover(path)  # wrong paths are told before a store is made
    with Database.open(settings) as database:
        result = estimate_run(Run(database, settings, Scope(settings.app)), paths, today())
    priced = prices_of(settings) != Prices()
    if as_json:
        print_json(_plain(result, priced))
    else:
        _print(result, priced)


def _plain(result: Estimate, priced: bool) -> dict[str, Any]:
    return {
        "documents": result.documents,
        "pages": result.pages,
        "chunks": result.chunks,
        "unreadable": [{"source": name, "reason": why} for name, why in result.unreadable],
        "chat_model": result.chat_model,
        "stages": [_stage(each, priced) for each in result.assets],
        "total": _amount(result.total, priced),
    }


def _stage(each: AssetEstimate, priced: bool) -> dict[str, Any]:
    return {
        "asset": each.asset,
        **_amount(each.asked, priced),
        "by_chat_model": _amount(each.by_chat_model, priced),
    }


def _amount(amount: Amount, priced: bool) -> dict[str, Any]:
    """Without a price, what it costs is not known: that is not nothing."""
    return {
        "calls": _range(amount.calls),
        "prompt_tokens": _range(amount.prompt_tokens),
        "completion_tokens": _range(amount.completion_tokens),
        "cost": _range(amount.cost) if priced else None,
    }


def _range(value: Range) -> float | dict[str, float]:
    """One number where it is known, else its bounds."""
    return value.low if value.low == value.high else {"low": value.low, "high": value.high}


def _print(result: Estimate, priced: bool) -> None:
    typer.echo(f"{result.documents} documents, {result.pages} pages, {result.chunks} chunks")
    for name, why in result.unreadable:
        typer.echo(f"  {name}: {why}")
    header = ("asset", "calls", "prompt tokens", "completion tokens", "money")
    asks = [each for each in result.assets if each.asked.calls.high]
    rows = [_row(each.asset, each.asked, priced) for each in result.assets]
    print_table(header, [*rows, _row("total", result.total, priced)])
    spared = [each for each in result.assets if each not in asks and each.by_chat_model.calls.high]
    if spared:
        why = "" if result.chat_model else " (FINRAG_CHAT_MODEL is not set)"
        typer.echo(f"\nDone offline{why}, at no cost; a chat model would be asked for:")
        print_table(header, [_row(each.asset, each.by_chat_model, priced) for each in spared])


def _row(name: str, amount: Amount, priced: bool) -> tuple[str, ...]:
    return (
        name,
        _told(amount.calls),
        _told(amount.prompt_tokens),
        _told(amount.completion_tokens),
        _told(amount.cost, ",.2f") if priced else "no price set",
    )


def _told(value: Range, form: str = ",.0f") -> str:
    low, high = format(value.low, form), format(value.high, form)
    return low if low == high else f"{low} to {high}"
