// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUDA_OPENED_ONCE_HPP
#define INLAY_BACKEND_CUDA_OPENED_ONCE_HPP

#include <map>
#include <mutex>
#include <string>

#include <inlay/core/outcome.hpp>

namespace inlay::detail {

/// What `Opened::open(file)` gave when it was asked for first in this process, errors too. Safe across threads.
template <class Opened>
[[nodiscard]] const outcome<Opened>& opened_once(const std::string& file) {
    static std::mutex guard;
    static std::map<std::string, outcome<Opened>> known;
    const std::lock_guard held(guard);
    auto at = known.find(file);
    if (at == known.end()) at = known.emplace(file, Opened::open(file)).first;
    return at->second;
}

}  // namespace inlay::detail

#endif
