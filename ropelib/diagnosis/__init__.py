"""The doctor: what did unknown code do? `diagnose` has arrays from before and after, `check_rope` calls the code itself.

The walk of `diagnose`: `arrays` takes x and y and asks for the pairing of channels, which `layouts` finds; `measured` has its
angles; `study` makes them turn, and asks `offsets`, `speeds` (which asks `explanations` and `slips`), `replay` for the
arithmetic, `elsewhere` for rows that are not in their places, and `reproduce` for a rope that gives y; `support` leaves open
what x could not show. That of `check_rope`: `probes` calls the code (`calling`), holds it to its `contract`, diagnoses what it
returned and sets it `against` what was expected: `where` they part, and how that is `named`.
"""

from .arrays import diagnose
from .probes import check_rope
from .report import Failure, Finding, Report

__all__ = ["Failure", "Finding", "Report", "check_rope", "diagnose"]
