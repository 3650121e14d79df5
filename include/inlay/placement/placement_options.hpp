// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_PLACEMENT_PLACEMENT_OPTIONS_HPP
#define INLAY_PLACEMENT_PLACEMENT_OPTIONS_HPP

namespace inlay {

struct placement_options {
    /// Readers of one value in one other place share its copy; else each has its own, as TVM has it.
    bool share_copies = false;
};

}  // namespace inlay

#endif
