// How the run-time of emitted code gets into a module.
#include "common.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

bool pt_link_needed(LLVMModuleRef Into, LLVMModuleRef From) {
  std::unique_ptr<Module> Source(unwrap(From));
  // What it says about itself has not been read yet.
  if (Error Failed = Source->materializeMetadata()) {
    consumeError(std::move(Failed));
    return false;
  }
  // Flags say how the run-time was compiled, which must not change the module's.
  while (!Source->named_metadata_empty())
    Source->eraseNamedMetadata(&*Source->named_metadata_begin());
  return !Linker::linkModules(*unwrap(Into), std::move(Source), Linker::LinkOnlyNeeded);
}

bool pt_inline_call(LLVMValueRef Call) {
  InlineFunctionInfo Info;
  return InlineFunction(*cast<CallBase>(unwrap(Call)), Info).isSuccess();
}
