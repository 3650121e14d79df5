// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "verbs.hpp"

int main(int argc, char** argv) {
    if (const auto code = tool::run_as_worker(argc, argv)) return *code;
    return tool::run_command_line(argc, argv);
}
