// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BENCHMARKS_MATCHING_MLIR_OPT_HPP
#define INLAY_BENCHMARKS_MATCHING_MLIR_OPT_HPP

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace bench {

/// MLIR's canonicaliser, as the program mlir-opt, in a folder that goes when this does.
class mlir_opt {
public:
    mlir_opt() {
        for (const char* name : {"mlir-opt-19", "mlir-opt-16", "mlir-opt-15", "mlir-opt-14", "mlir-opt"})
            if (program_.empty() && std::system(("command -v " + std::string(name) + " >/dev/null 2>&1").c_str()) == 0) program_ = name;
        if (program_.empty()) {
            note_ = "is left out: there is no mlir-opt; run sh examples/install.sh rivals";
            return;
        }
        std::error_code fault;
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        folder_ = std::filesystem::temp_directory_path(fault) / ("inlay_mlir_" + std::to_string(now));
        std::filesystem::create_directories(folder_, fault);
    }
    ~mlir_opt() {
        std::error_code fault;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, fault);
    }
    mlir_opt(const mlir_opt&) = delete;
    mlir_opt& operator=(const mlir_opt&) = delete;

    /// Why there is no time; empty where there may be one.
    [[nodiscard]] const std::string& note() const { return note_; }
    [[nodiscard]] const std::string& program() const { return program_; }
    [[nodiscard]] std::string input() const { return (folder_ / "in.mlir").string(); }
    [[nodiscard]] std::string output() const { return (folder_ / "out.mlir").string(); }

    /// Canonicalises what `input()` holds into `output()`: the milliseconds that the pass took by its own count; less than 0 and a note
    /// where there is no such count.
    double canonicalize() {
        const std::string times = (folder_ / "times.txt").string();
        const std::string command = program_ + " --canonicalize --mlir-timing --mlir-timing-display=list --mlir-disable-threading " +
                                    input() + " -o " + output() + " 2> " + times;
        double ms = -1;
        if (std::system(command.c_str()) != 0) {
            note_ = "is left out: " + program_ + " failed on the pass Canonicalizer";
            return ms;
        }
        std::ifstream text(times);
        for (std::string line; std::getline(text, line);) {
            double seconds = 0;
            if (line.find("Canonicalizer") != std::string::npos && std::sscanf(line.c_str(), " %lf", &seconds) == 1) ms = seconds * 1e3;
        }
        if (ms < 0) note_ = "is left out: " + program_ + " gave no time for the pass Canonicalizer";
        return ms;
    }

private:
    std::string program_, note_;
    std::filesystem::path folder_;
};

}  // namespace bench

#endif
