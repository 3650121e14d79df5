// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "rival.hpp"

#include <fstream>
#include <string>

#include "../matching/mlir_opt.hpp"
#include "../search/random.hpp"

namespace bench {

rival_time run_mlir(std::size_t nodes) {
    rival_time made;
    mlir_opt mlir;
    made.note = mlir.note();
    if (!made.note.empty()) return made;
    {
        std::ofstream text(mlir.input());
        text << "func.func @f(%v0: i32, %w: i32) -> i32 {\n  %c0 = arith.constant 0 : i32\n  %c1 = arith.constant 3 : i32\n  %c2 = "
                "arith.constant 5 : i32\n";
        random_stream random(1);
        std::size_t last = 0;
        const auto put = [&](const char* op, const std::string& operands) {
            text << "  %v" << last + 1 << " = arith." << op << ' ' << operands << " : i32\n";
            ++last;
            ++made.operators;
        };
        const auto value = [&](std::size_t back = 0) { return "%v" + std::to_string(last - back); };
        while (made.operators < nodes) {
            switch (random.below(3)) {
                case 0:  // (x + 3) + 5: one sum with a new constant
                    put("addi", value() + ", %c1");
                    put("addi", value() + ", %c2");
                    break;
                case 1:  // (x - 3) - 5: x - 8, one again
                    put("subi", value() + ", %c1");
                    put("subi", value() + ", %c2");
                    break;
                default:  // (x + 0) | w: the sum is gone
                    put("addi", value() + ", %c0");
                    put("ori", value() + ", %w");
                    break;
            }
            ++made.rewrites;
            put("muli", value() + ", %w");
        }
        text << "  return " << value() << " : i32\n}\n";
    }
    made.ms = mlir.canonicalize();
    made.note = mlir.note();
    if (!made.note.empty()) return made;
    // Each rewrite leaves at least one operator less.
    std::ifstream left(mlir.output());
    std::size_t count = 0;
    for (std::string line; std::getline(left, line);)
        count += line.find("arith.") != std::string::npos && line.find("constant") == std::string::npos;
    if (made.operators - count < made.rewrites) {
        made.ms = -1;
        made.note = "is left out: " + mlir.program() + " left " + std::to_string(count) + " of " + std::to_string(made.operators) +
                    " operators, and not each rewrite was made";
    }
    return made;
}

}  // namespace bench
