// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CODEGEN_COMPILE_COMPILER_LOOKUP_HPP
#define INLAY_CODEGEN_COMPILE_COMPILER_LOOKUP_HPP

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <inlay/codegen/compile/system_compiler.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/shared_handle.hpp>

namespace inlay {

/// Finds compilers by `find_compiler` and keeps the answers: to ask one for its version starts a process. Copies share what was found. Safe
/// across threads.
class compiler_lookup {
public:
    /// The compiler that this command means, as it was when it was asked for first.
    [[nodiscard]] outcome<system_compiler> find(source_language language, const std::string& command) const {
        const std::lock_guard one_at_a_time(known_->guard);
        const auto key = std::pair(language, command);
        auto at = known_->compilers.find(key);
        if (at == known_->compilers.end()) at = known_->compilers.emplace(key, find_compiler(language, command)).first;
        return at->second;
    }
    /// The first line of its version, for the keys of what was measured with it.
    [[nodiscard]] std::string version_of(source_language language, const std::string& command) const {
        const auto found = find(language, command);
        return found ? found->version.substr(0, found->version.find('\n')) : std::string("without a compiler");
    }

private:
    struct answers : owner_count {
        std::mutex guard;
        std::map<std::pair<source_language, std::string>, outcome<system_compiler>> compilers;

        static void release(answers* a) { delete a; }
    };
    shared_handle<answers> known_{new answers};
};

}  // namespace inlay

#endif
