#include "tools/interrupt.h"

#include <atomic>
#include <csignal>

namespace crossriver {
namespace {

std::atomic<bool> interrupted = false;

void OnSignal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

void CatchInterrupts() {
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
}

bool Interrupted() { return interrupted; }

}  // namespace crossriver
