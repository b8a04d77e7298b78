"""Whose name it is: the registry of securities, names resolved to codes, mentions to entities."""

from finrag_pipeline.stages.identity.companies import Company, RegisteredName
from finrag_pipeline.stages.identity.names import normalised
from finrag_pipeline.stages.identity.registry import (
    Registry,
    read_registry,
    registered_names,
    registry_text,
)
from finrag_pipeline.stages.identity.resolution import Candidate, Resolution, resolve
from finrag_pipeline.stages.identity.spelling import question_spellings, spelling

__all__ = [
    "Candidate",
    "Company",
    "RegisteredName",
    "Registry",
    "Resolution",
    "normalised",
    "question_spellings",
    "read_registry",
    "registered_names",
    "registry_text",
    "resolve",
    "spelling",
]
