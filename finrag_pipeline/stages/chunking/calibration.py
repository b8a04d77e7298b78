"""The values of segmentation that depend on the embedder, by language and kind of document.

All of them stand here and come from `benchmarks/segmentation_calibration.py`; run it again when
the vectors of segmentation change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Calibration:
    """What counts as one topic.

    Attributes:
        threshold: cosine from which two sentences are joined in the similarity graph (θ).
        window: sentences that are compared with each other, 20 to 80 (N).
        separation: mean cosine of two blocks below which a cut between them is gained.
    """

    threshold: float
    window: int
    separation: float

    @property
    def reach(self) -> int:
        """Sentences of a block on either side of a gap: about a quarter of the window.

        Pk on the half of zh reports that values are chosen on: 10 sentences .207, 8 .195, 5 .182,
        4 .190.
        """
        return max(1, self.window // 4)


#: By language, all kinds together: for kinds of which there was too little to measure.
_LANGUAGES: Mapping[str, Calibration] = MappingProxyType(
    {
        "zh": Calibration(0.116, 20, 0.066),
        "en": Calibration(0.199, 20, 0.143),
    }
)
#: Kinds with enough reports to measure and a clearly lower Pk by values of their own. Chinese
#: filings were measured and gained too little; others were too few.
_KINDS: Mapping[tuple[str, str], Calibration] = MappingProxyType(
    {("zh", "strategy"): Calibration(0.210, 20, 0.104)}
)


def calibration_for(language: str, kind: str) -> Calibration:
    """The values for a document.

    Args:
        language: `Metadata.language`; others than zh are treated as English.
        kind: `Metadata.kind`.
    """
    by_language = _LANGUAGES.get(language, _LANGUAGES["en"])
    return _KINDS.get((language, kind), by_language)
