"""What is learned from a store needs documents in it, as questions do."""

from finrag_pipeline_tests.query.conftest import add as add
