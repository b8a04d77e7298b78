"""Pure steps: values in, values out; no network, SQL, Dagster or clock."""

import os

# Documents are read in parallel processes, so a thread pool in each only fights the others: the
# layout model on 2 cores ran 3.8 pages/s in 2 processes with default threads, 6.4 with one each.
# onnxruntime reads the variable when PyMuPDF makes its session, that is, while it is imported, so
# it is set before any stage can import it.
os.environ.setdefault("ORT_INTRA_OP_NUM_THREADS", "1")
