"""The doctor: what did unknown code do? `diagnose` has arrays from before and after, `check_rope` calls the code itself."""

from .arrays import diagnose
from .probes import check_rope
from .report import Failure, Finding, Report

__all__ = ["Failure", "Finding", "Report", "check_rope", "diagnose"]
