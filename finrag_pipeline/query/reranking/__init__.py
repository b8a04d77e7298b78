"""Reranking: the first of a fused ranking judged again, with the question and the text at hand.

`FINRAG_RERANKER` names who judges; models that read texts are `models.reranking`.
"""

from pathlib import Path

from finrag_pipeline.errors import ConfigurationError
from finrag_pipeline.query.reranking.passages import PassageReranker
from finrag_pipeline.query.reranking.registry import CandidateReranker, Tools, register


def _offline(tools: Tools, argument: str) -> CandidateReranker:
    from finrag_pipeline.query.reranking.offline import OfflineReranker

    return OfflineReranker.packaged()


def _onnx(tools: Tools, folder: str) -> CandidateReranker:
    from finrag_pipeline.models.reranking.cross_encoders import OnnxReranker

    return PassageReranker(OnnxReranker(Path(folder)))


def _sentence_transformers(tools: Tools, model: str) -> CandidateReranker:
    from finrag_pipeline.models.reranking.cross_encoders import SentenceTransformersReranker

    return PassageReranker(SentenceTransformersReranker(model))


def _chat(tools: Tools, argument: str) -> CandidateReranker:
    from finrag_pipeline.models.reranking.chat import ChatReranker

    if tools.chat is None:
        raise ConfigurationError(
            "FINRAG_RERANKER: 'chat' asks a chat model: set FINRAG_CHAT_BASE_URL and "
            "FINRAG_CHAT_MODEL, or another reranker"
        )
    return PassageReranker(ChatReranker(tools.chat), by_page=True)


register("offline", _offline)
register("none", lambda tools, argument: None)
register("onnx", _onnx, argument="<folder>")
register("sentence-transformers", _sentence_transformers, argument="<hub id or path>")
register("chat", _chat)
