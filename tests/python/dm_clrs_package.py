"""The benchmark's own package without TensorFlow."""

import sys
import types


class Anything(types.ModuleType):
    """Stands in for what dm-clrs needs for its files and texts alone; any name of it is a class."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self if name.islower() else type(name, (), {})


def dm_clrs():
    """The package, imported."""
    for name in ("tensorflow", "clrs._src.dataset", "clrs._src.clrs_text"):
        sys.modules.setdefault(name, Anything(name))
    import clrs

    return clrs
