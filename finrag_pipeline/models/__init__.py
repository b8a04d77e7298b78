"""What has weights or a network behind it, each behind a small protocol."""
