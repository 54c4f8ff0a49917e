"""Have nbval run each notebook from an empty folder, which must be empty afterwards: a notebook needs nothing beside it."""

import os
import tempfile

from nbval import plugin

import tools  # noqa: F401 - kernels inherit its one BLAS thread


class Elsewhere(plugin.RunningKernel):
    def __init__(self, kernel_name, cwd, **options):
        self.folder = tempfile.TemporaryDirectory()
        super().__init__(kernel_name, cwd=self.folder.name, **options)

    def stop(self):
        super().stop()
        left = os.listdir(self.folder.name)
        self.folder.cleanup()
        assert not left, f"a notebook leaves nothing behind, found {left}"


plugin.RunningKernel = Elsewhere
