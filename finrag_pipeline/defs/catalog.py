"""How assets stand in the catalog of one deployment: partitions, owners, where their code is.

What an asset is by itself belongs to `documents` and `weeks`.
"""

from collections.abc import Iterable

import dagster as dg

from finrag_pipeline.settings import Settings

#: Metadata of a definition that names the table whose rows the asset's docstring speaks of.
TABLE_NAME = "dagster/table_name"

#: Dagster's pool of what embeds or asks a chat model; `FINRAG_MODEL_RUNS` is its limit.
MODEL_POOL = "llm"


def placed(
    assets: Iterable[dg.AssetsDefinition],
    partitions: dg.PartitionsDefinition | None,
    settings: Settings,
    *,
    watched: bool = True,
) -> list[dg.AssetsDefinition]:
    """Assets as a deployment has them.

    Args:
        partitions: None for what is whole at any time.
        watched: whether anything materialises them by itself, so that it can be late.
    """

    def placed_spec(spec: dg.AssetSpec) -> dg.AssetSpec:
        return spec.replace_attributes(
            partitions_def=partitions,
            owners=list(settings.owners),
            metadata={TABLE_NAME: spec.key.to_user_string(), **spec.metadata},
            freshness_policy=spec.freshness_policy if watched else None,
        )

    specified = [asset.map_asset_specs(placed_spec) for asset in assets]
    return [
        each
        # the file that this process runs, in a checkout or in an installed package
        for each in dg.with_source_code_references(specified)
        if isinstance(each, dg.AssetsDefinition)
    ]


def table_of(context: dg.AssetExecutionContext) -> str:
    """The table whose rows an asset's docstring speaks of."""
    return str(context.assets_def.metadata_by_key[context.asset_key][TABLE_NAME])
