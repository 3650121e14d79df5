// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_COST_MACHINE_HPP
#define INLAY_COST_MACHINE_HPP

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

#include <sched.h>
#include <unistd.h>

#include <inlay/core/digest.hpp>

namespace inlay {

/// What a measured time depends on beside the program: the processor, the compiler of kernels and conversions that are part of this
/// library, and what is meant to run beside. Two machines of equal value share measurements.
struct machine {
    std::string cpu;          // "AMD EPYC 9454 family 25 model 17 stepping 1"
    std::uint32_t cores = 0;  // that this process may use
    digest features;          // of the instruction sets
    std::string compiler;     // "12.2.0"; empty if it plays no part
    std::uint32_t busy = 0;   // cores that competing processes take while something is measured (`measure/busy_core.hpp`)

    friend bool operator==(const machine&, const machine&) = default;
};

/// The digest of a machine: part of the key of every measurement.
[[nodiscard]] inline digest content_of(const machine& m) {
    digest_builder b;
    b.add(std::string_view(m.cpu)).add(static_cast<std::uint64_t>(m.cores)).add(m.features);
    if (!m.compiler.empty()) b.add("compiler").add(std::string_view(m.compiler));
    if (m.busy != 0) b.add("busy").add(std::uint64_t{m.busy});
    return b.finish();
}

/// The machine that the text of `/proc/cpuinfo` describes by its first processor. Lines that change from moment to moment, such as the
/// clock, play no part. Where the text has none of the lines, the processor's name is empty.
[[nodiscard]] inline machine machine_of(std::string_view cpuinfo, std::uint32_t cores) {
    const auto field = [&](std::string_view name) -> std::string_view {
        for (std::size_t at = 0; at < cpuinfo.size();) {
            const std::size_t end = cpuinfo.find('\n', at);
            const std::string_view line = cpuinfo.substr(at, end == std::string_view::npos ? end : end - at);
            if (line.substr(0, name.size()) == name) {
                const std::string_view after = line.substr(name.size());
                const std::size_t colon = after.find_first_not_of(" \t");
                if (colon != std::string_view::npos && after[colon] == ':')
                    return colon + 2 <= after.size() ? after.substr(colon + 2) : std::string_view();
            }
            if (end == std::string_view::npos) break;
            at = end + 1;
        }
        return {};
    };
    machine m;
    m.cores = cores;
    m.cpu = std::string(field("model name"));
    for (const std::string_view name : {"cpu family", "model", "stepping", "CPU implementer", "CPU part", "CPU revision"}) {
        const std::string_view value = field(name);
        if (value.empty()) continue;
        const std::size_t blank = name.rfind(' ');
        m.cpu += (m.cpu.empty() ? "" : " ") + std::string(name.substr(blank == std::string_view::npos ? 0 : blank + 1)) + " " +
                 std::string(value);
    }
    const std::string_view flags = field("flags");
    m.features = digest_builder().add(flags.empty() ? field("Features") : flags).finish();
    return m;
}

/// The machine that this process runs on, with the compiler that compiles the caller.
[[nodiscard]] inline machine this_machine() {
    std::string text;
    std::ifstream file("/proc/cpuinfo", std::ios::binary);
    char block[4096];
    // The first processor's lines are enough; a machine may have hundreds.
    while (text.find("\n\n") == std::string::npos && (file.read(block, sizeof block), file.gcount() > 0))
        text.append(block, static_cast<std::size_t>(file.gcount()));
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    long cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : sysconf(_SC_NPROCESSORS_ONLN);
    machine m = machine_of(std::string_view(text).substr(0, text.find("\n\n")), static_cast<std::uint32_t>(cores < 1 ? 1 : cores));
#ifdef __VERSION__
    m.compiler = __VERSION__;
#endif
    return m;
}

}  // namespace inlay

#endif
