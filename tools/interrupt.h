// Stopping long work cleanly on Ctrl-C.
#ifndef CROSSRIVER_TOOLS_INTERRUPT_H_
#define CROSSRIVER_TOOLS_INTERRUPT_H_

namespace crossriver {

// From now on the first SIGINT or SIGTERM sets a flag; the second ends the program at once.
void CatchInterrupts();
// Whether the first has come. Safe from any thread.
bool Interrupted();

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_INTERRUPT_H_
