"""Pictures of measurements as PNG: where the time of a search goes, how measures go over weeks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from finrag_pipeline.evaluation.retrieval.latency import THRESHOLD_MS, TOTAL, StageTime

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DPI = 110
#: Fonts with Chinese characters by system; files and folders may be called anything.
_CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "SimHei")


def latency_picture(times: Mapping[str, Mapping[str, StageTime]]) -> bytes:
    """Two stacked bars a question file, P50 and P95 of each stage, and a mark for the total.

    Args:
        times: stages by question file.
    """
    figure, axes = _figure(9.0, 1.6 + 0.9 * len(times))
    stages = list(dict.fromkeys(s for each in times.values() for s in each if s != TOTAL))
    labels: list[str] = []
    for name, by_stage in times.items():
        for percentile in ("P50", "P95"):
            at, left = len(labels), 0.0
            for number, stage in enumerate(stages):
                time = by_stage.get(stage)
                width = 0.0 if time is None else time.p50 if percentile == "P50" else time.p95
                hatch = "///" if width > THRESHOLD_MS else None
                axes.barh(
                    at, width, left=left, height=0.7, color=f"C{number}", hatch=hatch,
                    edgecolor="white", label=stage if at == 0 else None,
                )  # fmt: skip
                left += width
            total = by_stage[TOTAL]
            waited = total.p50 if percentile == "P50" else total.p95
            axes.plot(
                [waited], [at], "kD", markersize=6, label="total, waited for" if at == 0 else None
            )
            axes.annotate(
                f"{waited:.0f} ms waited", (max(left, waited), at), xytext=(8, 0),
                textcoords="offset points", va="center",
            )  # fmt: skip
            labels.append(f"{name}\n{percentile}")
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel("milliseconds a stage; lanes run side by side")
    axes.set_title(f"Stages of a search (hatched: over {THRESHOLD_MS:.0f} ms)", loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    return _png(figure)


def weeks_picture(title: str, lines: Mapping[str, Sequence[tuple[str, float]]]) -> bytes:
    """One line a measure over the weeks.

    Args:
        title: what is measured.
        lines: by name points of a week and a share from 0 to 1, oldest first.
    """
    figure, axes = _figure(9.0, 3.6)
    weeks = sorted({week for points in lines.values() for week, _ in points})
    for name, points in lines.items():
        axes.plot(
            [weeks.index(week) for week, _ in points], [v for _, v in points], "o-", label=name
        )
    step = max(1, len(weeks) // 12)
    axes.set_xticks(range(0, len(weeks), step), weeks[::step], rotation=30, ha="right")
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", alpha=0.3)
    axes.set_title(title, loc="left")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)
    return _png(figure)


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib import font_manager, rcParams
    from matplotlib.figure import Figure

    known = set(font_manager.get_font_names())
    rcParams["font.family"] = ["DejaVu Sans", *(name for name in _CHINESE if name in known)]
    # a figure of its own needs no screen, and threads share nothing
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _png(figure: Figure) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    return buffer.getvalue()
