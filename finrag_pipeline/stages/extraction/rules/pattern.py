"""What a rule is, and the words that many patterns share."""

from __future__ import annotations

from typing import NamedTuple

from finrag_pipeline.records.graph import Confidence


class Rule(NamedTuple):
    """One pattern of one relation of the vocabulary."""

    relation: str
    pattern: str
    confidence: Confidence = "high"


FIRM = "company organisation"
THING = "product commodity industry concept policy event metric"
ANY = f"{FIRM} {THING} place"
HEAD, TAIL = f"{{H:{FIRM}}}", f"{{T:{FIRM}}}"
#: 变更为 tells what follows, not what stands before it.
IS = "(?<!变更)(?<!更名)(?:系|是|为|作为|成为|仍为|已成为)"
SHARE = r"(?:的?[\d.]+\s?[%％]的?(?:股权|股份|权益)?|的?(?:全部|部分|控股)?(?:股权|股份))"
BUY = "(?:收购|并购|兼并|吸收合并|要约收购|完成收购|受让|购买|买下|取得)"
