"""Models in the hub's ONNX layout, run by `onnxruntime` without torch: embedders, cross-encoders.

Which of them the settings name is `models.embedders` and the rerankers' to say.
"""
