#include "Basic/DiagnosticGroups.h"

namespace parlance {

static constexpr DiagnosticGroup Groups[] = {{"PL0", "Syntax, names and values"},
                                             {"PL1", "Units"},
                                             {"PL2", "Shape and layout"},
                                             {"PL3", "Memory"},
                                             {"PL4", "Communication and overlap"},
                                             {"PL5", "Batch and throughput"},
                                             {"PL6", "The target framework"},
                                             {"PL7", "Files of frameworks"},
                                             {"PL8", "Measured runs"}};

std::span<const DiagnosticGroup> diagnosticGroups() { return Groups; }

} // namespace parlance
