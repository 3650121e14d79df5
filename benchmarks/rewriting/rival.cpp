// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include "rival.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "../search/random.hpp"

namespace bench {

rival_time run_mlir(std::size_t nodes) {
    rival_time made;
    std::string program;
    for (const char* name : {"mlir-opt-16", "mlir-opt-15", "mlir-opt-14", "mlir-opt"})
        if (program.empty() && std::system(("command -v " + std::string(name) + " >/dev/null 2>&1").c_str()) == 0) program = name;
    if (program.empty()) {
        made.note = "is left out: there is no mlir-opt; run sh examples/install.sh rivals";
        return made;
    }
    std::error_code fault;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(fault) / ("inlay_rewriting_" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    std::filesystem::create_directories(folder, fault);
    const std::string input = (folder / "in.mlir").string(), output = (folder / "out.mlir").string(), times = (folder / "times.txt").string();
    {
        std::ofstream text(input);
        text << "func.func @f(%v0: i32, %w: i32) -> i32 {\n  %c0 = arith.constant 0 : i32\n  %c1 = arith.constant 3 : i32\n  %c2 = arith.constant 5 : i32\n";
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
    const std::string command = program + " --canonicalize --mlir-timing --mlir-timing-display=list --mlir-disable-threading " + input + " -o " + output + " 2> " + times;
    if (std::system(command.c_str()) == 0) {
        std::ifstream text(times);
        for (std::string line; std::getline(text, line);) {
            double seconds = 0;
            if (line.find("Canonicalizer") != std::string::npos && std::sscanf(line.c_str(), " %lf", &seconds) == 1) made.ms = seconds * 1e3;
        }
        // Each rewrite leaves at least one operator less.
        std::ifstream left(output);
        std::size_t count = 0;
        for (std::string line; std::getline(left, line);) count += line.find("arith.") != std::string::npos && line.find("constant") == std::string::npos;
        if (made.ms >= 0 && made.operators - count < made.rewrites) {
            made.ms = -1;
            made.note = "is left out: " + program + " left " + std::to_string(count) + " of " + std::to_string(made.operators) + " operators, and not each rewrite was made";
        }
    } else {
        made.note = "is left out: " + program + " failed on the pass Canonicalizer";
    }
    if (made.ms < 0 && made.note.empty()) made.note = "is left out: " + program + " gave no time for the pass Canonicalizer";
    std::filesystem::remove_all(folder, fault);
    return made;
}

}  // namespace bench
