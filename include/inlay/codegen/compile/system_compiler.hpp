// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_COMPILE_SYSTEM_COMPILER_HPP
#define INLAY_CODEGEN_COMPILE_SYSTEM_COMPILER_HPP

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inlay/codegen/compile/code_cache.hpp>
#include <inlay/codegen/compile/run_command.hpp>
#include <inlay/codegen/compile/shared_library.hpp>
#include <inlay/core/digest.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/cost/machine.hpp>

namespace inlay {

enum class source_language : std::uint8_t { c99, cpp20 };

/// A compiler of the system, as `find_compiler` found it.
struct system_compiler {
    source_language language = source_language::c99;
    std::vector<std::string> command;  // `cc`, or `ccache`, `gcc`
    std::string version;               // what it says of itself
};

/// A file beside the text that is compiled: compiled with it where `is_source`, else there to be included.
struct compiler_file {
    std::string name, text;
    bool is_source = false;
};

/// What is to be compiled to a shared library.
struct compiler_request {
    source_language language = source_language::c99;
    std::string source;
    std::vector<std::string> flags;         // beside those for the language and for a shared library: -O3, -march=native, -fopenmp
    std::string cache;                      // a folder in which what was compiled is kept and found again; empty: nowhere
    std::string compiler;                   // with its first arguments, blanks between; empty: $CC or $CXX, else cc or c++
    double seconds = 60;                    // that the compiler may take
    std::vector<compiler_file> files = {};  // of the same language; named as files of one folder are, and not `source.c`
};

namespace detail {

/// A folder that goes, with all that is in it.
class passing_folder {
public:
    passing_folder() {
        const char* const base = std::getenv("TMPDIR");
        path_ = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/inlay_XXXXXX";
        if (mkdtemp(path_.data()) == nullptr) reason_ = errno;
    }
    passing_folder(const passing_folder&) = delete;
    passing_folder& operator=(const passing_folder&) = delete;
    ~passing_folder() {
        const auto remove = [](const char* path, const struct stat*, int, FTW*) { return std::remove(path); };
        if (reason_ == 0) nftw(path_.c_str(), remove, 8, FTW_DEPTH | FTW_PHYS);
    }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] int reason() const { return reason_; }  // why there is none, or 0

private:
    std::string path_;
    int reason_ = 0;
};

/// The first line of a compiler's output that says what is wrong, without the folder of the file.
[[nodiscard]] inline std::string first_complaint(std::string_view output, const std::string& folder) {
    std::string first;
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\n', at), output.size());
        const std::string line(output.substr(at, end - at));
        if (first.empty()) first = line;
        if (line.find("error") != std::string::npos || line.find("undefined") != std::string::npos) {
            first = line;
            break;
        }
        at = end + 1;
    }
    for (std::size_t at = 0; (at = first.find(folder + "/")) != std::string::npos;) first.erase(at, folder.size() + 1);
    return first.empty() ? "it does not say why" : escaped_text(first, 400);
}

/// How a compiler ended that did not succeed.
[[nodiscard]] inline error compiler_failure(const system_compiler& c, const command_end& end, double seconds, const std::string& folder) {
    const std::string who = "the compiler " + quoted_text(c.command.front(), 200);
    if (end.is_late) {
        std::string limit = std::to_string(seconds);
        limit.erase(std::min(limit.find('.') + 2, limit.size()));
        return error{who + " took more than " + limit + " seconds and was ended; allow it more, or ask for less optimization"};
    }
    if (end.signal != 0)
        return error{who + " was ended by signal " + std::to_string(end.signal) + " (" + strsignal(end.signal) +
                     "); see whether memory is short"};
    return error{who + " ended with status " + std::to_string(end.status) + ": " + first_complaint(end.output, folder)};
}

}  // namespace detail

/// The compiler of a language: `command`, else what the variable CC or CXX says, else `cc` or `c++`. It is asked for its version, and has
/// so many seconds to answer. The error says that there is none, or how it failed.
[[nodiscard]] inline outcome<system_compiler> find_compiler(source_language language, std::string command = {}, double seconds = 60) {
    const bool is_c = language == source_language::c99;
    const char* const variable = is_c ? "CC" : "CXX";
    if (const char* const given = std::getenv(variable); command.empty() && given != nullptr) command = given;
    system_compiler found{language, {}, {}};
    for (std::size_t at = 0; (at = command.find_first_not_of(' ', at)) != std::string::npos;) {
        const std::size_t end = std::min(command.find(' ', at), command.size());
        found.command.push_back(command.substr(at, end - at));
        at = end;
    }
    if (found.command.empty()) found.command.push_back(is_c ? "cc" : "c++");
    command_request ask{found.command, {"LC_ALL=C"}, seconds};
    ask.words.push_back("--version");
    auto answer = run_command(ask);
    if (!answer)
        return error{"there is no compiler: " + answer.failure().message + "; install one, or name it in the variable " + variable};
    if (!answer->succeeded()) return detail::compiler_failure(found, *answer, seconds, {});
    found.version = std::move(answer->output);
    return found;
}

/// Compiles a text to a shared library with a compiler and loads it. What was compiled before from the same text with the same flags by the
/// same version is taken from the cache; a damaged file there is written anew, and a cache that cannot be read or written is done
/// without. Several processes may share one. The error says how the compiler failed, or that it took too long, or why its library does not
/// load.
[[nodiscard]] inline outcome<shared_library> compile(const system_compiler& c, const compiler_request& what) {
    const auto has = [&](std::string_view part) {
        return std::any_of(what.flags.begin(), what.flags.end(), [&](const std::string& f) { return f.find(part) != std::string::npos; });
    };
    digest_builder content;
    content.add(static_cast<std::uint64_t>(c.language)).add(c.version).add(what.source);
    for (const auto* words : {&c.command, &what.flags}) {
        content.add(static_cast<std::uint64_t>(words->size()));
        for (const std::string& word : *words) content.add(word);
    }
    for (const compiler_file& f : what.files) content.add(f.name).add(f.text).add(static_cast<std::uint64_t>(f.is_source));
    // `native` is another instruction set on another machine.
    if (has("native")) content.add(this_machine().features);
    const digest key = content.finish();
    // Threads of OpenMP outlive the loop that started them.
    const bool for_good = has("openmp");
    const code_cache cache{what.cache};
    if (cache.has(key))
        if (auto known = shared_library::open(cache.place_of(key), for_good)) return known;

    const detail::passing_folder work;
    if (work.reason() != 0)
        return error{"there is no folder to compile in, " + quoted_text(work.path(), 200) + ": " + std::strerror(work.reason()) +
                     "; name another one in the variable TMPDIR"};
    const bool is_c = c.language == source_language::c99;
    const std::string text = work.path() + (is_c ? "/source.c" : "/source.cpp"), library = work.path() + "/library.so";
    // A short write shows as an error of the compiler's, or as a file that it lacks.
    bool is_written = bool(std::ofstream(text, std::ios::binary) << what.source << std::flush);
    for (const compiler_file& f : what.files)
        is_written = std::ofstream(work.path() + "/" + f.name, std::ios::binary) << f.text << std::flush && is_written;
    if (!is_written) return error{"the text that is to be compiled cannot be written to " + quoted_text(work.path(), 200)};
    command_request run{c.command, {"LC_ALL=C", "TMPDIR=" + work.path()}, what.seconds};
    for (const char* word : {is_c ? "-std=c99" : "-std=c++20", "-fPIC", "-shared"}) run.words.emplace_back(word);
    run.words.insert(run.words.end(), what.flags.begin(), what.flags.end());
    for (const std::string& word : {std::string("-o"), library, text}) run.words.push_back(word);
    for (const compiler_file& f : what.files)
        if (f.is_source) run.words.push_back(work.path() + "/" + f.name);
    run.words.emplace_back("-lm");
    const auto end = run_command(run);
    if (!end) return end.failure();
    if (!end->succeeded()) return detail::compiler_failure(c, *end, what.seconds, work.path());
    if (cache.keep(key, detail::bytes_of_file(library)))
        if (auto kept = shared_library::open(cache.place_of(key), for_good)) return kept;
    return shared_library::open(library, for_good);
}

/// The same with the compiler that the request names.
[[nodiscard]] inline outcome<shared_library> compile(const compiler_request& what) {
    auto found = find_compiler(what.language, what.compiler, what.seconds);
    if (!found) return found.failure();
    return compile(*found, what);
}

}  // namespace inlay

#endif
