"""Writes rendered.yaml, what `helm template finrag docs/deploy/helm -n finrag` makes, without Helm.

`.venv-scale/bin/python docs/deploy/helm/render.py`, after every change here.
"""

from __future__ import annotations

from pathlib import Path

import helm_python

FOLDER = Path(__file__).parent
#: With the ingress, so that everything there is can be looked at.
VALUES = {"ingress": {"enabled": True}}


def rendered() -> str:
    """All manifests of the chart as one file."""
    with helm_python.Chart.load(FOLDER) as chart:
        manifests = chart.render(VALUES, name="finrag", namespace="finrag")
    parts = [
        f"---\n# {name}\n{text.strip()}\n"
        for name, text in sorted(manifests.items())
        if name.endswith(".yaml") and text.strip()
    ]
    return "".join(parts)


if __name__ == "__main__":
    (FOLDER / "rendered.yaml").write_text(rendered())
