// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_RIVAL_HPP
#define INLAY_EXAMPLES_INLAY_RIVAL_HPP

#include <cstdio>
#include <string>
#include <string_view>

#include <sys/types.h>

#include <inlay/core/outcome.hpp>

namespace tool {

/// A program of someone else's that runs the same network in the same rounds. It is started through the shell, says `ready` on a line of
/// its own when the network is loaded, and answers each line `run` with the seconds that one inference took. It ends with its input.
class rival {
public:
    /// The error says that the command did not get ready, with what it printed last.
    [[nodiscard]] static inlay::outcome<rival> start(const std::string& command);

    rival(rival&& other) noexcept;
    rival& operator=(rival&& other) noexcept;
    ~rival();

    /// Seconds of one inference.
    [[nodiscard]] inlay::outcome<double> run();

private:
    rival() = default;
    [[nodiscard]] inlay::outcome<std::string> line();

    std::FILE* to_ = nullptr;
    std::FILE* from_ = nullptr;
    pid_t process_ = -1;
};

}  // namespace tool

#endif
