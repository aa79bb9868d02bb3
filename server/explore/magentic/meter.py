"""What every model call of every agent costs, charged to the run when the reply arrives."""

import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from agent_framework import ChatContext, ChatMiddleware, ChatResponse, Message

from server.explore.explorations import Explorations
from server.explore.magentic.signals import RunOver


class Meter(ChatMiddleware):
    """Charges one role of one run; a run above its cap makes no further call."""

    def __init__(self, explorations: Explorations, run: str, role: str) -> None:
        self.explorations = explorations
        self.run = run
        self.role = role
        self.charges = 0

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Let the call pass and charge it; raises RunOver where the cap is passed."""
        state = self.explorations.load(self.run)
        if state.spent > state.opening.contract.max_tokens:
            raise RunOver(self.run)
        asked = list(context.messages)
        if context.stream:
            context.stream_result_hooks.append(lambda reply: self._charged(asked, reply))
            await call_next()
            return
        await call_next()
        if isinstance(context.result, ChatResponse):
            self._charged(asked, context.result)

    def _charged(self, asked: Sequence[Message], reply: ChatResponse[Any]) -> ChatResponse[Any]:
        self.charges += 1
        state = self.explorations.charged(self.run, self.role, tokens_of(asked, reply))
        if state.exhausted is not None:
            raise RunOver(self.run)
        return reply


def tokens_of(asked: Sequence[Message], reply: ChatResponse[Any]) -> int:
    """What the provider says was used; without a word of it a quarter of the bytes both ways."""
    usage = reply.usage_details or {}
    total = usage.get("total_token_count")
    if total is None and "output_token_count" in usage:
        total = (usage.get("input_token_count") or 0) + (usage.get("output_token_count") or 0)
    if total is not None:
        return total
    contents = [content for message in (*asked, *reply.messages) for content in message.contents]
    # replies of tools among them: they are paid for here and nowhere else
    parts = [(content.text, content.arguments, content.result) for content in contents]
    texts = [str(part) for row in parts for part in row if part is not None]
    return math.ceil(sum(len(text.encode("utf-8", "replace")) for text in texts) / 4)
