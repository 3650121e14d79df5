// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_LIBRARY_OUTPUT_HPP
#define INLAY_EXAMPLES_INLAY_LIBRARY_OUTPUT_HPP

#include <memory>

namespace tool {

/// Keeps apart what the tool and what libraries of back ends print while it lives: the tool's streams go where they went before, and each
/// line that a library writes to one of the first descriptors, or to a stream of C++ inside of `library_call`, becomes one escaped line on
/// standard error. The lines are bounded.
class library_output {
public:
    /// `quiet`: what libraries print goes nowhere.
    explicit library_output(bool quiet);
    library_output(const library_output&) = delete;
    library_output& operator=(const library_output&) = delete;
    ~library_output();

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// This thread is inside of a library as long as this lives.
class library_call {
public:
    library_call();
    library_call(const library_call&) = delete;
    library_call& operator=(const library_call&) = delete;
    ~library_call();
};

/// The descriptor of the tool's own standard error.
[[nodiscard]] int errors_descriptor();

}  // namespace tool

#endif
