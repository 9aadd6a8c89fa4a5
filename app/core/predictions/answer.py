"""The prediction of a launch, beside what was measured. It executes blocks and compiles: this is called in the tracing process."""

from __future__ import annotations

from app.core.predictions.comparison import compare
from app.core.predictions.counters import Measured
from app.core.predictions.model_words import LIMITS, error_words
from app.core.predictions.predict import predict
from app.core.predictions.question import Beside, PredictionQuestion
from app.core.predictions.recorded import recorded_counters
from app.core.predictions.recorded_times import recorded_time
from app.core.predictions.time import model_time
from kernels.messages import Message, message


def answer_prediction(question: PredictionQuestion) -> Beside | Message:
    """The answer, or why there is none."""
    point, profile = question.point, question.profile
    prediction = predict(point.variant, point.problem, point.parameters, profile)
    if isinstance(prediction, Message):
        return prediction
    model = model_time(prediction)
    words = model
    if not isinstance(model, Message):
        recorded = recorded_time(profile.id, point)
        words = message(
            "Time model: {milliseconds} ms, limited by: {limit}", milliseconds=model.milliseconds, limit=LIMITS[model.longest.limit]
        )
        if recorded is not None:
            words = message(
                "{model}; recorded: {milliseconds} ms, error {error}",
                model=words, milliseconds=recorded, error=error_words(model, recorded),
            )  # fmt: skip
    assert isinstance(words, Message)
    values, source = _values(question)
    return Beside(compare(prediction, values) if values else (), source, words)


def _values(question: PredictionQuestion) -> tuple[Measured | None, Message | None]:
    if question.imported is not None:
        return question.imported, message("Measured: imported from Nsight Compute")
    recording, point = recorded_counters(question.profile.id), question.point
    found = None if recording is None else recording.find(point.variant_id, point.problem, point.parameters)
    if recording is None or found is None:
        return None, None
    return found, message("Measured: recorded on {gpu}", gpu=str(recording.conditions["gpu"]))
