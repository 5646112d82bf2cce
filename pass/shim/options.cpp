// `-polytile-NAME=VALUE` on the command line of hosts that parse LLVM's options after loading plugins. One option takes
// all names, so that an unknown one reaches the parser in Rust, which knows the valid ones.
#include "common.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static constexpr char Name[] = "polytile-";

// LLVM keeps registered options for the life of the process and aborts on a name that it already has, so there is one
// per process. It is written while the command line is parsed, and only read afterwards. It is never freed: the host's
// parser may outlive this file.
static cl::list<std::string> &given() {
  static auto *The = new cl::list<std::string>(Name, cl::Prefix, cl::value_desc("NAME=VALUE"), cl::Hidden,
                                               cl::desc("Options of the polytile plugin"));
  return *The;
}

bool pt_add_options() {
  // Threads of a linker load the file at the same time: one of them adds the option, and the others wait.
  static const bool Alone = [] {
    if (cl::getRegisteredOptions().count(Name))
      return false;
    given();
    return true;
  }();
  return Alone;
}

void pt_each_option(void *Data, void (*Visit)(void *, PtText)) {
  for (const std::string &Option : given())
    Visit(Data, text(StringRef(Option)));
}
