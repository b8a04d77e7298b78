"""Tests of how answers are measured."""
