"""Tests of `stages.facts.english`."""
