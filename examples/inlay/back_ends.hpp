// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_BACK_ENDS_HPP
#define INLAY_EXAMPLES_INLAY_BACK_ENDS_HPP

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace inlay {
struct loaded_folders;
}

namespace tool {

/// One option of a back end, as `inlay targets` lists it.
struct option_facts {
    std::string name, type, otherwise, doc;
};

/// One back end of this build, as `inlay targets` lists it.
struct backend_facts {
    std::string kind, device, refines, version, not_usable;  // `not_usable` is empty where it can run here
    std::string file;                                        // of the library that it came in; empty: it is built in
    bool by_default = true;                                  // it takes part where no target is named
    std::vector<option_facts> options;
    std::vector<std::string> patterns;
};

/// The options of one back end.
struct kind_options {
    std::string kind;
    std::vector<option_facts> options;
};

/// Each back end's options, in the order of `all_back_ends`; no library and no compiler is asked for anything.
[[nodiscard]] std::vector<kind_options> all_options(const inlay::loaded_folders* loaded);

/// The back ends of this build, most preferred first, and behind them those that came as libraries.
[[nodiscard]] std::vector<backend_facts> all_back_ends(const inlay::loaded_folders* loaded);

/// Whether nobody loses anything where a form that is written in some operators becomes one operator: every back end of this build whose
/// table names one of those by itself names this one, too.
[[nodiscard]] bool nobody_loses(std::string_view op, std::span<const std::string_view> written);

}  // namespace tool

#endif
