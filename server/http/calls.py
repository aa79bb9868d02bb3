"""What surrounds each call of a tool that comes over HTTP: admission before, notes after."""

import time
from collections.abc import Awaitable, Callable, Collection, Mapping

from mcp.types import CallToolResult, InputRequiredResult

from server import refusals
from server.http.access import asker
from server.http.admission import Admission
from server.http.journal import note
from server.http.metrics import count_call
from server.results import as_result

Result = CallToolResult | InputRequiredResult


class Calls:
    """Lets calls in, and notes how they went; the names of tools are the only text it keeps."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    async def around(
        self, tool: str, known: Collection[str], answer: Callable[[], Awaitable[Result]]
    ) -> Result:
        """The answer, or a refusal that says when to come again."""
        began = time.perf_counter()
        principal, name = asker(), tool if tool in known else ""
        if wait := self._admission.enter(principal):
            result: Result = as_result(
                refusals.too_many(tool if tool in known else "this tool", wait)
            )
        else:
            try:
                result = await answer()
            finally:
                self._admission.leave(principal)
        self._noted(name, principal, result, time.perf_counter() - began)
        return result

    def _noted(self, tool: str, principal: str, result: Result, seconds: float) -> None:
        flag = _flag(result)
        count_call(tool, flag, seconds)
        note("call", tool=tool, principal=principal, flag=flag, ms=round(1000 * seconds, 1))


def _flag(result: Result) -> str:
    if isinstance(result, InputRequiredResult) or not result.is_error:
        return ""
    content: Mapping[str, object] = result.structured_content or {}
    return str(content.get("flag", "error"))
