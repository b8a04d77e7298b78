"""The only place that knows Dagster: short assets, each calling one pipeline function."""

import warnings

from dagster import BetaWarning

# backfill policies are marked as beta; a pinned minor release keeps them as they are
warnings.filterwarnings("ignore", category=BetaWarning)
