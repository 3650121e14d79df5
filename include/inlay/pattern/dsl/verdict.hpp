// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PATTERN_DSL_VERDICT_HPP
#define INLAY_PATTERN_DSL_VERDICT_HPP

#include <string>
#include <utility>

namespace inlay {

/// The answer of a predicate; a no says why, with the values that were found: "dilation is 2; the library takes 1".
struct verdict {
    bool taken = true;
    std::string reason;

    [[nodiscard]] static verdict yes() { return {}; }
    [[nodiscard]] static verdict no(std::string why) { return {false, std::move(why)}; }
};

/// The predicate that accepts whatever it is asked about: a match of a composite, of a rule of rewriting or of a partition rule.
struct always {
    template <class... Asked>
    [[nodiscard]] verdict operator()(const Asked&...) const {
        return verdict::yes();
    }
};

}  // namespace inlay

#endif
