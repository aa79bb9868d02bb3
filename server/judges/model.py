"""A model as judge, at any endpoint that speaks the OpenAI protocol, or of a known provider."""

import asyncio
import importlib
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ssl import SSLContext
from threading import Event
from typing import TYPE_CHECKING

from index.faults import BadSettings
from server.config_judges import JudgeEntry
from server.judge import Unreachable, Unreadable
from server.judges.prompted import Passing, PromptedJudge, Said

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

OPENAI = "https://api.openai.com/v1"
_TICK_SECONDS = 0.2
# Statuses after which the same request may be answered: too busy, too slow, broken for now.
_PASSING = (408, 409, 425, 429)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One request for each question, in an event loop of its own, within its time."""

    name: str
    entry: JudgeEntry
    trust: SSLContext

    def ask(self, prompt: str, stop: Event) -> Said:
        """The text of the model's answer and what it took."""
        try:
            response = asyncio.run(self._in_time(prompt, stop))
        except TimeoutError:
            raise Passing(f"no answer within {self.entry.timeout_seconds} seconds") from None
        usage = response.usage
        return Said(
            response.text or "", usage.input_tokens, usage.output_tokens, self._cost(response)
        )

    async def _in_time(self, prompt: str, stop: Event) -> "ModelResponse":
        """The response, as long as there is time and nobody says stop."""
        asking = asyncio.ensure_future(self._response(prompt))
        try:
            async with asyncio.timeout(self.entry.timeout_seconds):
                while not stop.is_set():
                    done, _ = await asyncio.wait({asking}, timeout=_TICK_SECONDS)
                    if done:
                        return asking.result()
            raise Passing("it was stopped")
        finally:
            # what it ends with now is nobody's, and must not be said to be lost
            asking.cancel()
            await asyncio.wait({asking}, timeout=_TICK_SECONDS)
            if asking.done() and not asking.cancelled():
                asking.exception()

    async def _response(self, prompt: str) -> "ModelResponse":
        from pydantic_ai import exceptions
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest

        too_long = Event()
        try:
            async with self._model(too_long) as model:
                return await model_request(
                    model, [ModelRequest.user_text_prompt(prompt)], instrument=False
                )
        except exceptions.ModelHTTPError as refused:
            raise self._refused(refused.status_code, refused.retry_after or 0.0) from None
        except exceptions.ContentFilterError:
            raise Unreadable("the provider withheld the answer") from None
        except exceptions.UserError as wrong:
            raise Unreachable(
                f"judge {self.name}: its provider cannot be used", str(wrong)
            ) from None
        # All but the first are what the library lets through where a body is no chat completion.
        except (
            exceptions.AgentRunError,
            LookupError,
            TypeError,
            AttributeError,
            ValueError,
            RecursionError,
        ):
            if too_long.is_set():
                reason = f"the answer is longer than {self.entry.max_bytes} bytes"
                raise Unreadable(reason) from None
            raise Passing("no connection, or no answer in the OpenAI protocol") from None

    def _refused(self, status: int, wait: float) -> Exception:
        """Trouble that passes, or a request that will never be answered as it is."""
        if status in _PASSING or status >= 500:
            return Passing(f"its endpoint answers {status}", wait)
        return Unreachable(
            f"judge {self.name}: its endpoint answers {status}",
            "check its model, its address and its key in the environment",
        )

    @asynccontextmanager
    async def _model(self, too_long: Event) -> "AsyncGenerator[Model]":
        """The model, connected for one question."""
        if self.entry.provider not in ("", "openai"):
            yield self._inferred()
            return
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        from server.judges.capped import capped_client

        async with capped_client(self.entry, self.trust, too_long) as http:
            client = AsyncOpenAI(
                base_url=self.entry.base_url or OPENAI,
                api_key=self._key(),
                max_retries=0,  # whoever asks here counts the tries
                http_client=http,
            )
            yield OpenAIChatModel(self.entry.model, provider=OpenAIProvider(openai_client=client))

    def _inferred(self) -> "Model":
        """The model of a provider that brings its own client."""
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model

        provider = self.entry.provider
        try:
            return infer_model(f"{provider}:{self.entry.model}")
        except ImportError as missing:
            raise Unreachable(
                f"judge {self.name}: the package for {provider} is not installed",
                f'pip install "pydantic-ai-slim[{provider}]"',
            ) from missing
        except UserError as wrong:
            raise Unreachable(
                f"judge {self.name}: {provider} cannot be used as it is set",
                "check its provider, its model and its key in the environment",
            ) from wrong

    def _key(self) -> str:
        """The key of the named variable; an address without one gets none of anybody's."""
        name = self.entry.key_env or ("OPENAI_API_KEY" if self.entry.provider else "")
        if name and not os.environ.get(name):
            raise Unreachable(f"judge {self.name}: {name} is not set", f"set {name}")
        key = os.environ[name] if name else "none"
        if not (key.isascii() and key.isprintable()):
            raise Unreachable(
                f"judge {self.name}: {name} is no key", f"set {name} to the key alone"
            )
        return key

    def _cost(self, response: "ModelResponse") -> float | None:
        """In US dollars, where the provider's prices are known."""
        if not self.entry.provider:
            return None
        try:
            return round(float(response.cost().total_price), 6)
        except (LookupError, ValueError):
            return None


def open_named(name: str, entry: JudgeEntry) -> PromptedJudge:
    """The judge that asks this model; BadSettings if the library for it is not installed."""
    try:
        importlib.import_module("pydantic_ai.models.openai")  # late: most digs need no model
    except ImportError as missing:
        raise BadSettings(
            f"judge {name} asks a model, and {missing.name or 'a library for that'} is missing",
            "pip install 'corpus-expedition[judge]'",
        ) from missing
    from server.judges.capped import trusted

    return PromptedJudge(name, entry, Endpoint(name, entry, trusted(entry)))
