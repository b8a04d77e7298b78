"""The Dagster code location: what ships, and what a deployment puts beside it."""

import dagster as dg

from finrag_pipeline.defs import own
from finrag_pipeline.defs.assembly import build_definitions

defs = dg.Definitions.merge(build_definitions(), dg.load_definitions_from_package_module(own))
