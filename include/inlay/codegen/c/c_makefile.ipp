// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_C_C_MAKEFILE_IPP
#define INLAY_CODEGEN_C_C_MAKEFILE_IPP

#include <string>

#include <inlay/codegen/c/c_makefile.hpp>

#include <inlay/codegen/c/c_program.hpp>

namespace inlay::detail {

std::string c_makefile(const c_program& p, bool has_check, bool needs_math) {
    const std::string& n = p.name;
    std::string others = p.weights == c_weights::embedded ? " $(BUILD)/" + n + "_weights.o" : "", headers;
    for (const c_source& s : p.sources) others += " $(BUILD)/" + s.name.substr(0, s.name.rfind('.')) + ".o";
    for (const c_header& h : p.headers) headers += " " + h.name;
    std::string text = "# make                 the library $(BUILD)/lib" + n + ".a\n" +
                       (has_check ? "# make check           runs the program on stored inputs and compares its outputs\n"
                                    "# make check-riscv64   the same as a static program for riscv64-linux, under QEMU\n"
                                  : "") +
                       "# make freestanding    one object for RISC-V without an operating system\n"
                       "# Products and sums are kept apart (-ffp-contract=off), so that every machine gives the same numbers.\n"
                       "CC = cc\nAR = ar\nCFLAGS = -O2\nLDFLAGS =\nRUN =\nBUILD = build\n"
                       "RISCV64 = riscv64-linux-gnu-gcc\nQEMU_RISCV64 = qemu-riscv64-static\n"
                       "FREESTANDING = riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -ffreestanding -fno-builtin "
                       "-fno-tree-loop-distribute-patterns" +
                       std::string(needs_math ? " --specs=picolibc.specs" : "") +
                       "\nFREESTANDING_LD = riscv64-unknown-elf-ld\nSTRICT = -std=c99 -Wall -Wextra -Werror -pedantic -ffp-contract=off\n"
                       "OBJECTS = $(BUILD)/" +
                       n + ".o" + others +
                       "\n\n"
                       ".PHONY: all clean freestanding" +
                       (has_check ? " check check-riscv64" : "") +
                       "\n"
                       "all: $(BUILD)/lib" +
                       n +
                       ".a\n\n"
                       "$(BUILD)/%.o: %.c " +
                       n + ".h" + headers +
                       "\n\t@mkdir -p $(BUILD)\n\t$(CC) $(STRICT) $(CFLAGS) -c -o $@ $<\n\n"
                       "$(BUILD)/lib" +
                       n + ".a: $(OBJECTS)\n\t$(AR) rcs $@ $^\n\n";
    if (has_check)
        text += "$(BUILD)/" + n + "_check: $(BUILD)/" + n +
                "_check.o $(OBJECTS)\n\t$(CC) $(LDFLAGS) -o $@ $^ -lm\n\n"
                "check: $(BUILD)/" +
                n + "_check\n\t$(RUN) $(BUILD)/" + n +
                "_check check\n\n"
                "check-riscv64:\n\t$(MAKE) CC='$(RISCV64)' BUILD=build-riscv64 LDFLAGS=-static RUN='$(QEMU_RISCV64)' check\n\n";
    text += "freestanding:\n\t$(MAKE) CC='$(FREESTANDING)' BUILD=build-freestanding build-freestanding/" + n +
            "_all.o\n\n"
            "$(BUILD)/" +
            n +
            "_all.o: $(OBJECTS)\n\t$(FREESTANDING_LD) -r -o $@ $^\n\n"
            "clean:\n\trm -rf build build-riscv64 build-freestanding\n";
    return text;
}

}  // namespace inlay::detail

#endif
