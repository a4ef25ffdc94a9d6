r"""Small checks of the appliance for `dicetray doctor`.

For example:

    from pathlib import Path

    from appliance.diagnostics.machine import check_disk

    print(check_disk(Path(".")))
"""

from appliance.diagnostics.base import Finding, Level

__all__ = ["Finding", "Level"]
