"""What requests take: tokens, money by the prices, and the bound of what a run may take."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from finrag_pipeline.errors import BudgetExhausted


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens, in any one currency."""

    prompt: float = 0.0
    completion: float = 0.0

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Money for so many tokens.

        >>> Prices(2.0, 8.0).cost(1_000_000, 500_000)
        6.0
        """
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True, slots=True)
class Usage:
    """What one request took, or spared.

    `counted_prompt_tokens` is our own count, which estimates tell; the others are the server's
    where it says them.
    """

    calls: int = 0
    cached_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    counted_prompt_tokens: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Budget:
    """What one run may spend, over all its threads; None for no limit.

    Before a request is sent its worst case must fit beside all that was spent. What is under way
    counts with its worst case; where only that leaves no room, the next one waits for it. What a
    server bills for answers that never arrived is not seen here.
    """

    def __init__(
        self,
        tokens: int | None = None,
        money: float | None = None,
        spent_tokens: int = 0,
        spent_money: float = 0.0,
    ) -> None:
        self._tokens, self._money = tokens, money
        self._spent_tokens, self._spent_money = spent_tokens, spent_money
        self._held_tokens, self._held_money = 0, 0.0
        self._in_flight = 0
        self._settled = threading.Condition()

    @contextmanager
    def reserve(self, tokens: int, money: float) -> Generator[Reservation]:
        """Room for one request while the block lasts; what it took is told to the reservation.

        Raises:
            BudgetExhausted: its worst case does not fit.
        """
        reservation = Reservation()
        with self._settled:
            while not self._fits(self._held_tokens + tokens, self._held_money + money):
                if not self._in_flight or not self._fits(tokens, money):
                    raise BudgetExhausted(self._line(tokens, money))
                self._settled.wait()
            self._in_flight += 1
            self._held_tokens += tokens
            self._held_money += money
        try:
            yield reservation
        finally:
            with self._settled:
                self._in_flight -= 1
                self._held_tokens -= tokens
                self._held_money = self._held_money - money if self._in_flight else 0.0
                self._spent_tokens += reservation.tokens
                self._spent_money += reservation.money
                self._settled.notify_all()

    def _fits(self, tokens: int, money: float) -> bool:
        return (self._tokens is None or self._spent_tokens + tokens <= self._tokens) and (
            self._money is None or self._spent_money + money <= self._money
        )

    def _line(self, tokens: int, money: float) -> str:
        if self._tokens is not None and self._spent_tokens + tokens > self._tokens:
            spent, needs = f"{self._spent_tokens:,}", f"take {tokens:,}"
            limit, alone = f"FINRAG_CHAT_BUDGET_TOKENS={self._tokens}", tokens > self._tokens
        else:
            assert self._money is not None
            spent, needs = f"{self._spent_money:.4f}", f"cost {money:.4f}"
            limit, alone = f"FINRAG_CHAT_BUDGET={self._money:g}", money > self._money
        if alone:
            return (
                f"the next request may {needs}, more than all of {limit}: raise it, to run again "
                "does not help"
            )
        return (
            f"this run has spent {spent} of {limit}, and its next request may {needs}: raise it, "
            "or run again to go on"
        )


@dataclass(slots=True)
class Reservation:
    """What the request that room was made for took in the end."""

    tokens: int = 0
    money: float = 0.0
