"""Learns by what e5 is changed to match questions with figures, or with sentences.

    python -m training.matching HOME figures
    python -m training.matching HOME sentences

writes `finrag_pipeline/models/e5/matching.npz` or `sentences.npz`. HOME is where the folder of the
e5 model is made. The upper layers get narrow changes (LoRA, Hu et al. 2021,
https://arxiv.org/abs/2106.09685): each question has to be nearer to what is printed of its figure,
or to the sentence that answers it, than to all others of its step, those of the same table or
passage among them (van den Oord et al. 2018, https://arxiv.org/abs/1807.03748). Figures are learned
from `figure_wordings/` and `term_wordings.csv`, sentences from `sentence_wordings/`. A part of the
tables or passages is held out, to say how often the nearest one is the right one. Needs `torch`
(extra `models`); half an hour of two cores that multiply in bfloat16. The same seed gives the same
up to rounding.
"""

from __future__ import annotations

import argparse
import importlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from finrag_pipeline.models import e5
from finrag_pipeline.models.e5.changes import write_changes
from finrag_pipeline.models.e5.weights import Weights
from finrag_pipeline.models.onnx.tokenizers import Tokenizer, read_tokenizer
from training.worded import Worded
from training.worded_figures import read_groups, term_groups
from training.worded_sentences import read_passages

torch: Any = importlib.import_module("torch")

#: Matrices of a layer that are changed, how narrowly, and from which layer on.
CHANGED, RANK, SCALE, FIRST = ("q", "k", "v", "ao", "fi", "fo"), 16, 2.0, 4
LEARNING_RATE, WARM, LEAST_RATE = 1.5e-3, 20, 0.02
#: How sharply the nearest is to be nearest, and what it counts that a figure finds its question.
TEMPERATURE, BACKWARDS = 0.05, 0.5
#: One group of so many is held out; texts of about the same length at a time.
PART, TEXTS = 12, 24
QUESTION, PASSAGE = "query: ", "passage: "

Groups = Sequence[Sequence[Worded]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What is matched with questions.

    Attributes:
        read: gives it, by what stands beside each other.
        beside: gives more of each pass, parted by chance.
        size: how much is told from each other in a step, at least.
        passes: over everything, each of which has all of it twice.
        tokens: of the longest text that is read whole.
        out: where the changes are kept.
    """

    read: Callable[[], Groups]
    beside: Callable[[random.Random], Groups]
    size: int
    passes: float
    tokens: int
    out: Path


KINDS = {
    "figures": Kind(read_groups, term_groups, 96, 3.5, 96, e5.MATCHING),
    "sentences": Kind(read_passages, lambda chance: (), 96, 2.5, 128, e5.SENTENCES),
}


class Layers:
    """e5 with changes, in `torch`: tokens in, vectors of length one out."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._words = torch.tensor(weights.matrix("emb.word").numbers)
        kind = self._vector("emb.type")[: weights.width]
        self._positions = self._vector("emb.pos").reshape(-1, weights.width) + kind
        self._matrices: dict[str, Any] = {}
        self._vectors: dict[str, Any] = {}
        self.changes: dict[str, tuple[Any, Any]] = {}
        for layer in range(weights.layers):
            for name in (f"l{layer}.{each}" for each in CHANGED):
                matrix = torch.tensor(weights.matrix(f"{name}.w").numbers)
                self._matrices[name], self._vectors[name] = matrix, self._vector(f"{name}.b")
                if layer >= FIRST:
                    rows, columns = matrix.shape
                    first = torch.randn(RANK, columns) / columns**0.5
                    then = torch.zeros(rows, RANK)
                    self.changes[name] = first.requires_grad_(), then.requires_grad_()

    @property
    def learned(self) -> list[Any]:
        """All numbers that are learned."""
        return [each for pair in self.changes.values() for each in pair]

    def __call__(self, texts: Sequence[list[int]]) -> Any:
        """A vector for each text, in their order; texts of about the same length go together."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        parts = [order[at : at + TEXTS] for at in range(0, len(order), TEXTS)]
        vectors = torch.cat([self._pooled([texts[at] for at in part]) for part in parts])
        places = torch.empty(len(order), dtype=torch.long)
        places[torch.tensor(order)] = torch.arange(len(order))
        return vectors[places]

    def _pooled(self, texts: Sequence[list[int]]) -> Any:
        longest = max(map(len, texts))
        ids = torch.tensor([[*each, *[1] * (longest - len(each))] for each in texts])
        told = torch.arange(longest)[None] < torch.tensor([len(each) for each in texts])[:, None]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self._hidden(ids, told).float()
        weights = told[..., None].float()
        pooled = (hidden * weights).sum(1) / weights.sum(1)
        return torch.nn.functional.normalize(pooled, dim=-1)

    def _hidden(self, ids: Any, told: Any) -> Any:
        heads = self._weights.heads
        hidden = self._normed("emb.ln", self._words[ids] + self._positions[: ids.shape[1]])
        size, tokens, width = hidden.shape
        for layer in range(self._weights.layers):
            name = f"l{layer}"
            query, key, value = (
                self._product(f"{name}.{each}", hidden)
                .view(size, tokens, heads, width // heads)
                .transpose(1, 2)
                for each in "qkv"
            )
            seen = torch.nn.functional.scaled_dot_product_attention(
                query, key, value, attn_mask=told[:, None, None, :]
            )
            seen = seen.transpose(1, 2).reshape(size, tokens, width)
            hidden = self._normed(f"{name}.aln", hidden + self._product(f"{name}.ao", seen))
            inner = torch.nn.functional.gelu(self._product(f"{name}.fi", hidden))
            hidden = self._normed(f"{name}.oln", hidden + self._product(f"{name}.fo", inner))
        return hidden

    def _product(self, name: str, hidden: Any) -> Any:
        linear = torch.nn.functional.linear
        product = linear(hidden, self._matrices[name], self._vectors[name])
        if name not in self.changes:
            return product
        first, then = self.changes[name]
        return product + linear(linear(hidden, first), then) * SCALE

    def _normed(self, name: str, hidden: Any) -> Any:
        gain, bias = self._vector(f"{name}.w"), self._vector(f"{name}.b")
        norm = torch.nn.functional.layer_norm
        return norm(hidden, (self._weights.width,), gain, bias, self._weights.epsilon)

    def _vector(self, name: str) -> Any:
        return torch.tensor(self._weights.vector(name).copy())


def steps(kind: Kind, groups: Groups, chance: random.Random) -> Iterator[list[Worded]]:
    """What is learned of in one pass, that of a group in one step: what is told apart has to be
    beside each other."""
    order = [*groups, *groups, *kind.beside(chance)]
    chance.shuffle(order)
    step: list[Worded] = []
    for group in order:
        step += group
        if len(step) >= kind.size:
            yield sorted(step, key=lambda each: not each.asked)
            step = []


def loss_of(questions: Any, printed: Any, texts: Sequence[str]) -> Any:
    """How far questions are from being nearest to what they mean, and that to its questions.

    Args:
        questions: of the first ones that are printed; nobody asks for the others.
    """
    near = questions @ printed.T / TEMPERATURE
    asked = len(questions)
    alike = torch.tensor([[one == other for other in texts] for one in texts[:asked]])
    alike.fill_diagonal_(False)
    near = near.masked_fill(alike, -1e4)
    own = torch.arange(asked)
    loss = torch.nn.functional.cross_entropy
    return loss(near, own) + BACKWARDS * loss(near[:, :asked].T, own)


def share_nearest(kind: Kind, layers: Layers, tokens: Tokenizer, groups: Groups) -> float:
    """How often a question is nearest to its own of those that stand beside it."""
    right: list[bool] = []
    with torch.inference_mode():
        for group in groups:
            asked = [(at, ask) for at, each in enumerate(group) for ask in each.asked]
            printed = layers([_ids(kind, tokens, PASSAGE + each.told) for each in group])
            questions = layers([_ids(kind, tokens, QUESTION + ask) for _, ask in asked])
            best = (questions @ printed.T).argmax(1).tolist()
            right += [found == at for found, (at, _) in zip(best, asked, strict=True)]
    return float(np.mean(right))


def learn(kind: Kind, layers: Layers, tokens: Tokenizer, groups: Groups) -> None:
    """Learn the changes of layers from groups."""
    chance = random.Random(1)
    total = int(kind.passes * sum(1 for _ in steps(kind, groups, chance)))
    optimizer = torch.optim.AdamW(layers.learned, LEARNING_RATE, weight_decay=0.01)
    passes = (step for _ in range(int(kind.passes) + 1) for step in steps(kind, groups, chance))
    for done, step in zip(range(total), passes, strict=False):
        rate = min(1.0, (done + 1) / WARM) * max(LEAST_RATE, 1 - done / total)
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * rate
        printed = [each.printed(chance) for each in step]
        asked = [each.question(chance) for each in step if each.asked]
        loss = loss_of(
            layers([_ids(kind, tokens, QUESTION + text) for text in asked]),
            layers([_ids(kind, tokens, PASSAGE + text) for text in printed]),
            printed,
        )
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(layers.learned, 1.0)
        optimizer.step()
        if not done % 20:
            print(f"{done} of {total}: {loss.item():.2f}", flush=True)


def _ids(kind: Kind, tokens: Tokenizer, text: str) -> list[int]:
    return [int(each) for each in tokens.encode(text, None).ids][: kind.tokens]


def main() -> None:
    """Say how well it goes on what is held out before and after, and write the changes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path, metavar="HOME")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: where it is used")
    options = parser.parse_args()
    kind = KINDS[options.kind]
    out = options.out or kind.out
    torch.manual_seed(1)
    tokens = read_tokenizer(e5.folder(options.home), 512)
    layers = Layers(Weights.installed())
    groups = list(kind.read())
    random.Random(1).shuffle(groups)
    held, kept = groups[::PART], [each for at, each in enumerate(groups) if at % PART]
    print(f"{sum(map(len, kept))} {options.kind}, {sum(map(len, held))} held out")
    print(f"nearest, before: {share_nearest(kind, layers, tokens, held):.1%}", flush=True)
    learn(kind, layers, tokens, kept)
    print(f"nearest, after: {share_nearest(kind, layers, tokens, held):.1%}")
    changes = {
        f"{name}.w": (first.detach().numpy(), SCALE * then.detach().numpy())
        for name, (first, then) in layers.changes.items()
    }
    write_changes(out, changes)
    print(f"{out.name}: {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
