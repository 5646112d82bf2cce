"""Configuration of the lit tests: tools of LLVM 22, and the plugin (POLYTILE_PLUGIN, or the release build)."""
import os
import shutil
import subprocess
import sys
import lit.formats

config.name = "polytile"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cpp", ".f90", ".rs", ".ll", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(config.test_source_root)
config.test_exec_root = os.path.join(root, "out", "lit")
plugin = os.environ.get("POLYTILE_PLUGIN", os.path.join(root, "target", "release", "libpolytile.so"))
if not os.path.exists(plugin):
    lit_config.fatal(f"no plugin at {plugin}: run cargo build --release, or set POLYTILE_PLUGIN")
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + os.environ["PATH"]
for name in ["HOME", "RUSTUP_HOME", "CARGO_HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["POLYTILE"] = ""
config.environment["RUSTC_BOOTSTRAP"] = "1"
rustc = shutil.which("rustc") or os.path.expanduser("~/.cargo/bin/rustc")
sysroot = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
config.substitutions += [
    ("%clangxx", f"clang++-22 -fpass-plugin={plugin}"),
    ("%clang", f"clang-22 -fpass-plugin={plugin}"),
    ("%plainclang", "clang-22"),
    ("%flang", f"flang-22 -fpass-plugin={plugin}"),
    ("%opt", f"opt-22 -load-pass-plugin={plugin}"),
    ("%rustc", f"{rustc} -Zllvm-plugins={plugin}"),
    ("%lld", f"-fuse-ld=lld -Wl,--load-pass-plugin={plugin}"),
    ("%python", sys.executable),
    ("%sysroot", sysroot),
    ("%polytile", plugin),
]
