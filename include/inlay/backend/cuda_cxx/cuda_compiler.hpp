// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CXX_CUDA_COMPILER_HPP
#define INLAY_BACKEND_CUDA_CXX_CUDA_COMPILER_HPP

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <inlay/codegen/code_cache.hpp>
#include <inlay/codegen/compiler_lookup.hpp>
#include <inlay/codegen/run_command.hpp>
#include <inlay/codegen/system_compiler.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>

namespace inlay::detail {

/// The command of NVIDIA's compiler: the one given, else the variable NVCC, else that of the folder which CUDA_HOME or CUDA_PATH names,
/// else `nvcc`.
[[nodiscard]] inline std::string nvcc_command(const std::string& given) {
    if (!given.empty()) return given;
    if (const char* const named = std::getenv("NVCC"); named != nullptr && *named != '\0') return named;
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
            if (const std::string path = std::string(folder) + "/bin/nvcc"; ::access(path.c_str(), X_OK) == 0) return path;
    return "nvcc";
}

/// NVIDIA's compiler. The error says that there is none, or how it failed.
[[nodiscard]] inline outcome<system_compiler> find_nvcc(const compiler_lookup& compilers, const std::string& given) {
    auto found = compilers.find(source_language::c99, nvcc_command(given));
    if (found) return found;
    return error{"there is no CUDA compiler: " + found.failure().message +
                 "; put nvcc into PATH, or name it in the variable NVCC or by the option -nvcc"};
}

/// `release 13.0, V13.0.88`, for the keys of what was measured with it.
[[nodiscard]] inline std::string nvcc_release(const system_compiler& c) {
    const std::size_t at = std::min(c.version.find("release"), c.version.size());
    return c.version.substr(at, std::min(c.version.find('\n', at), c.version.size()) - at);
}

/// CUDA C++ that is to be compiled for one architecture.
struct cubin_request {
    std::string source, arch;  // `sm_80`
    std::string cache;         // a folder in which what was compiled is kept and found again; empty: nowhere
    double seconds = 120;      // that the compiler may take
    std::vector<std::string> flags = {"-O3", "-std=c++17", "-w"};
};

/// A text as the device's code. The error says how the compiler failed, or that it took too long.
[[nodiscard]] inline outcome<std::string> compile_cubin(const system_compiler& c, const cubin_request& what) {
    digest_builder content;
    content.add(std::string_view("cubin")).add(c.version).add(what.source).add(what.arch);
    for (const auto* words : {&c.command, &what.flags}) {
        content.add(static_cast<std::uint64_t>(words->size()));
        for (const std::string& word : *words) content.add(word);
    }
    const digest key = content.finish();
    const code_cache cache{what.cache};
    // What seals a kept file stands behind its last section, where loaders do not read.
    if (cache.has(key)) return bytes_of_file(cache.place_of(key));
    const passing_folder work;
    if (work.reason() != 0)
        return error{"there is no folder to compile in, " + quoted_text(work.path(), 200) + ": " + std::strerror(work.reason()) +
                     "; name another one in the variable TMPDIR"};
    const std::string text = work.path() + "/kernels.cu", code = work.path() + "/kernels.cubin";
    if (!(std::ofstream(text, std::ios::binary) << what.source << std::flush))
        return error{"the text that is to be compiled cannot be written to " + quoted_text(work.path(), 200)};
    command_request run{c.command, {"LC_ALL=C", "TMPDIR=" + work.path()}, what.seconds};
    run.words.insert(run.words.end(), what.flags.begin(), what.flags.end());
    for (const std::string& word : {"-arch=" + what.arch, std::string("-cubin"), std::string("-o"), code, text}) run.words.push_back(word);
    const auto end = run_command(run);
    if (!end) return end.failure();
    if (!end->succeeded()) return compiler_failure(c, *end, what.seconds, work.path());
    std::string bytes = bytes_of_file(code);
    if (bytes.empty()) return error{"the compiler " + quoted_text(c.command.front(), 200) + " gave no code, and does not say why"};
    (void)cache.keep(key, bytes);
    return bytes;
}

}  // namespace inlay::detail

#endif
