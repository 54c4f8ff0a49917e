"""What builds and checks the book; none of it is needed to read ropelib."""

import os

# Small matrices: a second BLAS thread only waits, on busy cores ten times as long. Kernels and tests inherit this.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
