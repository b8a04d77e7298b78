"""Where tests find the project, its samples, and the real reports beside its checkout, if any."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
SAMPLES = PROJECT / "samples"
SAMPLE_PDFS = SAMPLES / "pdfs"
CORPUS = PROJECT.parent / "shared" / "corpus"
