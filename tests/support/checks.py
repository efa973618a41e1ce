"""What programs that run in a process of their own have in common."""

import json
import sys
import traceback


def run_checks(namespace, wanted=()):
    """Call each function named check_..., or those wanted; print the failed ones as JSON."""
    failed = {}
    for name, check in list(namespace.items()):
        if name in wanted if wanted else name.startswith("check_"):
            try:
                check()
            except Exception:
                failed[name] = traceback.format_exc()
            print(name, "failed" if name in failed else "ok", file=sys.stderr, flush=True)
    print(json.dumps(failed))
