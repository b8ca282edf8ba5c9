"""Language models that are asked: an adviser in doubtful decisions, a player, and a benchmark of them."""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.llm.access": ("Access", "Withheld"),
    "jimbo.llm.adviser": ("ClaudeAgent", "ClaudeOptions"),
    "jimbo.llm.client": ("make_client",),
    "jimbo.llm.failure": ("FailureAnalysis", "analyze_failure", "history_of"),
    "jimbo.llm.options": ("AccessOptions", "make_access"),
    "jimbo.llm.player": ("LlmAgent", "LlmOptions"),
    "jimbo.llm.protocol": (
        *("AnsweredCall", "ModelAnswer", "ModelClient", "ModelQuestion", "ModelTool", "NoAnswer", "ToolCall", "Usage"),
        "answering",
    ),
    "jimbo.llm.store": ("CallLimits", "CallStore"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
