// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_SEARCH_PROBLEM_PATH_HPP
#define INLAY_SEARCH_PROBLEM_PATH_HPP

#include <cstddef>
#include <string>

namespace inlay {

/// Where something stands in a problem, as a path into its JSON form: `candidates[3].nodes[0]`. It becomes text only where something is
/// wrong, so that checking a sound problem makes none. It points to the path and the name that it is made of, which have to outlive it.
class problem_path {
public:
    problem_path(const char* name) : name_(name) {}
    problem_path(const problem_path& in, const char* member) : in_(&in), name_(member) {}
    problem_path(const problem_path& in, std::size_t at) : in_(&in), at_(at) {}
    /// `name` with a number right behind it.
    [[nodiscard]] static problem_path numbered(const char* name, std::size_t number) {
        problem_path made(name);
        made.at_ = number;
        return made;
    }

    [[nodiscard]] std::string text() const {
        if (name_ == nullptr) return in_->text() + "[" + std::to_string(at_) + "]";
        const std::string named = (in_ == nullptr ? std::string() : in_->text()) + name_;
        return at_ == none ? named : named + std::to_string(at_);
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    const problem_path* in_ = nullptr;
    const char* name_ = nullptr;
    std::size_t at_ = none;
};

}  // namespace inlay

#endif
