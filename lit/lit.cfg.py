"""Configuration of the lit tests: tools of LLVM 22, and the plugin (POLYTILE_PLUGIN, or the release build)."""
import os
import shutil
import subprocess
import sys
import tempfile
import lit.formats

sys.path.insert(0, os.path.dirname(__file__))
import linked

config.name = "polytile"
config.suffixes = [".c", ".cpp", ".f90", ".rs", ".ll", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(config.test_source_root)
config.test_exec_root = os.path.join(root, "out", "lit")
plugin = os.environ.get("POLYTILE_PLUGIN", os.path.join(root, "target", "release", "libpolytile.so"))
if not os.path.exists(plugin):
    lit_config.fatal(f"no plugin at {plugin}: run cargo build --release, or set POLYTILE_PLUGIN")

config.test_format = lit.formats.ShTest(True)
if " " in root + plugin:
    short = os.path.join(tempfile.gettempdir(), f"lit-{os.getuid()}-{os.stat(root).st_dev}-{os.stat(root).st_ino}")
    os.makedirs(short, exist_ok=True)
    config.test_exec_root = os.path.join(short, "out")
    config.test_format = linked.Linked(linked.link(short, "lit", config.test_source_root))
    plugin = linked.link(short, "libpolytile.so", plugin)
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + os.environ["PATH"]
for name in ["HOME", "RUSTUP_HOME", "CARGO_HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["POLYTILE"] = ""
config.environment["RUSTC_BOOTSTRAP"] = "1"
rustc = shutil.which("rustc") or os.path.expanduser("~/.cargo/bin/rustc")


def printed(*arguments):
    """What rustc prints; nothing where there is none."""
    try:
        return subprocess.run([rustc, *arguments], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


sysroot = printed("--print", "sysroot")
llvm = next((line.split()[-1] for line in printed("-vV").splitlines() if line.startswith("LLVM version")), "none")
if llvm.split(".")[0] == "22":
    config.available_features.add("rustc")
else:
    lit_config.note(f"the tests of rustc are skipped: a plugin for LLVM 22 needs a rustc of LLVM 22, and the LLVM of {rustc} is {llvm}")


def runs_thread_sanitizer():
    """Whether programs under gcc's thread sanitizer run here: some kernels place memory where it cannot work."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "empty")
        build = ["gcc", "-fsanitize=thread", "-x", "c", "-", "-o", program]
        try:
            subprocess.run(build, input="int main(void) { return 0; }", text=True, capture_output=True, check=True)
            subprocess.run([program], capture_output=True, check=True)
            return True
        except (OSError, subprocess.CalledProcessError):
            return False


def has_polly():
    """Whether opt was built with Polly."""
    try:
        options = subprocess.run(["/usr/lib/llvm-22/bin/opt", "--help-hidden"], capture_output=True, text=True, check=True)
        return "--polly-export" in options.stdout
    except (OSError, subprocess.CalledProcessError):
        return False


if has_polly():
    config.available_features.add("polly")
else:
    lit_config.note("the test of schedules by Polly is skipped: this opt was built without it")
if runs_thread_sanitizer():
    config.available_features.add("thread-sanitizer")
else:
    lit_config.note("the tests of the run-time under a thread sanitizer are skipped: programs of gcc -fsanitize=thread do not run here")
if shutil.which("cmake"):
    config.available_features.add("cmake")
else:
    lit_config.note("the test of the package in a CMake project is skipped: there is no cmake here (apt-get install cmake)")
if shutil.which("dpkg-deb"):
    config.available_features.add("dpkg-deb")
else:
    lit_config.note("the test of the Debian package is skipped: there is no dpkg-deb here")
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
