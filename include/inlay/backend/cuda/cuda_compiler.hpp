// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_CUDA_COMPILER_HPP
#define INLAY_BACKEND_CUDA_CUDA_COMPILER_HPP

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <unistd.h>

#include <inlay/backend/cuda/nvrtc.hpp>
#include <inlay/codegen/compile/code_cache.hpp>
#include <inlay/codegen/compile/compiler_lookup.hpp>
#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/compile/system_compiler.hpp>
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

/// A text as the device's code, by a compiler in a process of its own. The error says how that failed, or that it took too long.
[[nodiscard]] inline outcome<std::string> compile_cubin(const system_compiler& c, const cubin_request& what) {
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
    return bytes;
}

/// What makes the device's code: NVIDIA's compiler, or that as a library.
class cuda_compiler {
public:
    static constexpr std::string_view library = "nvrtc";  // what asks for the library, where a compiler would be named

    explicit cuda_compiler(system_compiler nvcc) : made_by_(std::move(nvcc)) {}
    explicit cuda_compiler(nvrtc by) : made_by_(std::move(by)) {}

    /// The one that is given, as `find_nvcc` says; where none is named and none is there, the library. The
    /// error says why there is neither.
    [[nodiscard]] static outcome<cuda_compiler> find(const compiler_lookup& compilers, const std::string& given) {
        if (given != library) {
            auto nvcc = find_nvcc(compilers, given);
            if (nvcc) return cuda_compiler(*std::move(nvcc));
            if (!given.empty() || !nvrtc::here()) return nvcc.failure();
        }
        const outcome<nvrtc>& by = nvrtc::here();
        if (!by) return error{"there is no CUDA compiler: " + by.failure().message};
        return cuda_compiler(*by);
    }

    /// `release 13.0, V13.0.88` or `NVRTC 13.0`, for the keys of what was measured with it.
    [[nodiscard]] std::string release() const {
        const auto* const nvcc = std::get_if<system_compiler>(&made_by_);
        return nvcc != nullptr ? nvcc_release(*nvcc) : std::get<nvrtc>(made_by_).release();
    }

    /// A text as the device's code, from the cache where it was compiled before. The error says how the compiler failed, or that it took
    /// too long; the library takes as long as it likes.
    [[nodiscard]] outcome<std::string> compile(const cubin_request& what) const {
        const auto* const nvcc = std::get_if<system_compiler>(&made_by_);
        digest_builder content;
        content.add(std::string_view("cubin")).add(nvcc != nullptr ? nvcc->version : release()).add(what.source).add(what.arch);
        for (const auto& words : {nvcc != nullptr ? nvcc->command : std::vector<std::string>(), what.flags}) {
            content.add(static_cast<std::uint64_t>(words.size()));
            for (const std::string& word : words) content.add(word);
        }
        const digest key = content.finish();
        const code_cache cache{what.cache};
        // What seals a kept file stands behind its last section, where loaders do not read.
        if (cache.has(key)) return bytes_of_file(cache.place_of(key));
        auto code = nvcc != nullptr ? compile_cubin(*nvcc, what) : std::get<nvrtc>(made_by_).compile(what.source, what.arch);
        if (code) (void)cache.keep(key, *code);
        return code;
    }

private:
    std::variant<system_compiler, nvrtc> made_by_;
};

}  // namespace inlay::detail

#endif
