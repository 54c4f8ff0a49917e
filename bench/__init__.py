"""What a rotation costs, as a ratio to copying the same bytes: `python -m bench`."""

import os

# before any of the libraries starts its threads
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
