"""Tests under another name of their folder: lit puts paths into RUN lines unquoted, so none of them may have a space."""
import os
import lit.formats


class Linked(lit.formats.ShTest):
    """Tests whose sources are found under `source_root`."""

    def __init__(self, source_root):
        super().__init__(True)
        self.source_root = source_root

    def execute(self, test, lit_config):
        test.suite.source_root = self.source_root
        return super().execute(test, lit_config)


def link(folder, name, path):
    """Another name of a path, in a folder of short names."""
    alias = os.path.join(folder, name)
    if os.path.realpath(alias) != os.path.realpath(path):
        if os.path.islink(alias):
            os.remove(alias)
        os.symlink(path, alias)
    return alias
