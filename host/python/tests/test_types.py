"""The stubs describe the module."""

import subprocess
import sys


def test_stubs_describe_the_module():
    command = [sys.executable, "-m", "mypy.stubtest", "lockstep._lockstep"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_has_a_docstring():
    import lockstep

    public = [getattr(lockstep, name) for name in lockstep.__all__]
    members = [
        getattr(each, name)
        for each in public
        if isinstance(each, type) and each is not lockstep.Error
        for name in vars(each)
        if not name.startswith("_")
    ]
    assert not [each for each in public + members if not each.__doc__]
