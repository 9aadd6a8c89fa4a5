"""The words of a step of a CPU kernel with what the caches did: a miss is what there is to say of it."""

from __future__ import annotations

from dataclasses import replace

from app.core.narration import Story
from app.core.nest.cache_words import miss_facts, miss_sentence
from app.core.nest.caches import StageCaches


def tell_of_caches(story: Story, caches: StageCaches, step: int) -> Story:
    """The story of a step; where it misses the nearest cache, with what was fetched, from where and in whose place."""
    sentence = miss_sentence(caches, step)
    if sentence is None:
        return story
    return replace(story, sentence=sentence, facts=(*story.facts[:1], *miss_facts(caches, step)))
