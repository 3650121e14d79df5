// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
//
// compile_by_nvrtc ARCHITECTURE FILE... compiles files in CUDA C++ by NVIDIA's library. Exit code 0, 1 where one does not compile, which is
// told, and 77 where there is no library.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <inlay/backend/cuda/nvrtc.hpp>

int main(int count, char** words) {
    const auto& by = inlay::detail::nvrtc::here();
    if (!by) return std::puts(by.failure().message.c_str()), 77;
    for (int i = 2; i < count; ++i) {
        std::ifstream in(words[i], std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        const auto code = by->compile(text, words[1]);
        if (!code) return std::printf("%s: %s\n", words[i], code.failure().message.c_str()), 1;
        if (code->substr(1, 3) != "ELF") return std::printf("%s gave something that is no code\n", words[i]), 1;
    }
    std::printf("%d files compiled by %s\n", count - 2, by->release().c_str());
}
