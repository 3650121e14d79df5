// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_EXAMPLES_INLAY_ANSWER_HPP
#define INLAY_EXAMPLES_INLAY_ANSWER_HPP

namespace tool {

/// How a verb ended, as the exit code says it: done; the answer is no; the call or an input is wrong.
enum class answer : int { done = 0, no = 1, wrong = 2 };

}  // namespace tool

#endif
