"""Mentions of a document identified: whose name each is, by registry, printed codes and context.

Pure: which names of different documents are one entity, the graph decides from these keys.
"""

from __future__ import annotations

import re

from finrag_pipeline.records import Metadata
from finrag_pipeline.records.graph import Identity, Mention
from finrag_pipeline.stages.identity.codes import listing_code
from finrag_pipeline.stages.identity.companies import Company
from finrag_pipeline.stages.identity.names import normalised
from finrag_pipeline.stages.identity.registry import Registry
from finrag_pipeline.stages.identity.resolution import Resolution, resolve
from finrag_pipeline.stages.identity.spelling import spelling
from finrag_pipeline.stages.identity.synonyms import folded
from finrag_pipeline.stages.identity.world import canonical

#: A name that the registry holds counts more than a code beside it, a variant of one less.
_SURE = 0.94
#: What a document calls its own company: it names nobody beyond that document.
_SELF = frozenset(
    ("公司", "本公司", "我公司", "我司", "集团", "本集团", "发行人", "company", "thecompany")
)
#: A business is named by its words after the company's, however the part is called.
_SEGMENT = re.compile(r"(?:业务板块|业务分部|业务部门|事业部|事业群|板块|分部|业务)$")


def identify(
    registry: Registry, mention: Mention, metadata: Metadata, document_id: str
) -> Identity:
    """Say whose name a mention is.

    Args:
        registry: who there is.
        mention: one name in a chunk.
        metadata: of its document; its company decides between companies of one name, its day
            of publication which of a company's names held.
        document_id: keeps people of no known company apart, and companies called 公司.

    Returns:
        The anchor of a company, ``person:<company>/<name>``, ``product:<company>/<own name>``,
        else the plain key. Depends on nothing but the arguments.
    """
    if mention.type == "company":
        return _company(registry, mention.name, mention.code, metadata, document_id)
    plain = f"{mention.type}:{_plain(mention)}"
    if mention.type not in ("person", "product"):
        return Identity(plain, plain, mention.name)
    owner = None
    if mention.company is not None:
        owner = _company(registry, mention.company, None, metadata, document_id).key
    if mention.type == "person":
        key = f"person:{owner or document_id}/{spelling(mention.name)}"
        return Identity(key, plain, mention.name)
    if mention.company is None:
        return Identity(plain, plain, mention.name)
    company = _resolved(registry, mention.company, metadata).company
    own = _own_name(mention.name, mention.company, company)
    return Identity(f"product:{owner}/{own}", plain, mention.name)


def _company(
    registry: Registry, name: str, code: str | None, metadata: Metadata, document_id: str
) -> Identity:
    if spelling(name) in _SELF:
        if metadata.company_name is None:
            key = f"company:{document_id}/{spelling(name)}"
            return Identity(key, key, name)
        name, code = metadata.company_name, metadata.company_code
    plain = f"company:{normalised(canonical(name))}"
    resolution = _resolved(registry, name, metadata)
    if resolution.company is None and canonical(name) != name:
        resolution = _resolved(registry, canonical(name), metadata)
    company = resolution.company
    printed = listing_code(code) if code else None
    if company is None and printed is None and _is_own(name, metadata):
        printed = metadata.company_code
    if printed is not None and resolution.confidence < _SURE:
        company = registry.by_code.get(printed)
    if company is not None:
        return Identity(company.key, plain, company.name_on(metadata.published_on), company.codes)
    if printed is not None:
        return Identity(f"company:{printed}", plain, name, (printed,))
    return Identity(plain, plain, name)


def _resolved(registry: Registry, name: str, metadata: Metadata) -> Resolution:
    """`resolve`, where the document's own company decides between companies of one name."""
    resolution = resolve(registry, name)
    if resolution.company is not None:
        return resolution
    codes = {metadata.company_code, *metadata.company_codes}
    own = {
        registry.by_code[candidate.code].key: candidate.code
        for candidate in resolution.candidates
        if candidate.code in codes and candidate.code
    }
    return resolve(registry, *own.values()) if len(own) == 1 else resolution


def _is_own(name: str, metadata: Metadata) -> bool:
    """Whether it is the name that the document prints beside the code of its own company."""
    own = metadata.company_name
    return bool(own and metadata.company_code and normalised(name) == normalised(own))


def _plain(mention: Mention) -> str:
    if mention.type == "organisation":
        return folded(mention.type, normalised(mention.name))
    if mention.type == "product":
        return normalised(mention.name)
    return folded(mention.type, spelling(mention.name))


def _own_name(name: str, written: str, company: Company | None) -> str:
    """What a product or segment is called beside its company's name."""
    names = [written, *((n.name for n in company.names) if company else ())]
    spelled = spelling(name)
    for prefix in sorted({spelling(one) for one in names}, key=len, reverse=True):
        if prefix and spelled.startswith(prefix) and len(spelled) > len(prefix):
            spelled = spelled[len(prefix) :].removeprefix("的")
            break
    return _SEGMENT.sub("", spelled) or spelled
