"""The only place that knows Dagster: short assets, each calling one pipeline function."""

import warnings

from dagster import BetaWarning, PreviewWarning

# backfill policies are marked as beta, loading a package as a preview; a pinned minor release and
# tests keep them as they are
for marked in (BetaWarning, PreviewWarning):
    warnings.filterwarnings("ignore", category=marked)
