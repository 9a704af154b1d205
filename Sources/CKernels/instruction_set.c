#include "CKernels.h"

BBInstructionSet bb_best_instruction_set(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return BBInstructionSetAVX2;
    if (__builtin_cpu_supports("sse4.1")) return BBInstructionSetSSE41;
#endif
    return BBInstructionSetPlain;
}
