// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_TARGET_TAG_LIST_HPP
#define INLAY_TARGET_TAG_LIST_HPP

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <inlay/core/in_force.hpp>
#include <inlay/core/outcome.hpp>
#include <inlay/core/quoted_text.hpp>
#include <inlay/target/quoting.hpp>
#include <inlay/target/target_instance.hpp>

namespace inlay {

/// A name for a target, and what it stands for: a target's text, which is read anew at every lookup, or a target.
struct target_tag {
    std::string name;
    std::variant<std::string, target_instance> meaning;
};

/// Whether a text adds to what is there or takes its place.
enum class tag_override : bool { refused, allowed };

/// Names of targets, as `nvidia/a100` for `cuda -arch=sm_80`. A value, passed to what reads targets. Linear lookup.
class tag_list {
public:
    /// Adds a name. It holds no blank, comma, quote, backslash or control character, and begins with no '-', '{' or '['; one that is there
    /// already is replaced only where that is allowed. What a text says is seen when it is looked up.
    [[nodiscard]] outcome<void> add(std::string name, std::variant<std::string, target_instance> meaning,
                                    tag_override override = tag_override::refused) {
        bool fits = !name.empty() && name.front() != '-' && name.front() != '{' && name.front() != '[';
        for (const char c : name)
            fits = fits && !detail::is_blank(c) && !detail::is_control(c) && c != ',' && c != '\'' && c != '"' && c != '\\';
        if (in_force<"target.tag.name">() && !fits)
            return error{"a tag is one word without commas and quotes, not " + quoted_text(name) + "; give it another name"};
        for (target_tag& t : tags_) {
            if (t.name != name) continue;
            if (in_force<"target.tag.twice">() && override == tag_override::refused)
                return error{"there is a tag " + quoted_text(name) +
                             " already; give the new one another name, or allow that it takes the old one's place"};
            if (in_force<"target.tag.lookup">()) t.meaning = std::move(meaning);
            return {};
        }
        tags_.push_back({std::move(name), std::move(meaning)});
        return {};
    }

    [[nodiscard]] const target_tag* find(std::string_view name) const {
        for (const target_tag& t : tags_)
            if (t.name == name) return &t;
        return nullptr;
    }
    [[nodiscard]] std::span<const target_tag> all() const { return tags_; }

private:
    std::vector<target_tag> tags_;
};

}  // namespace inlay

#endif
