// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_BACKEND_CUTLASS_CUTLASS_ARGUMENTS_HPP
#define INLAY_BACKEND_CUTLASS_CUTLASS_ARGUMENTS_HPP

#include <array>
#include <cstddef>
#include <string>

namespace inlay::detail {

/// What the kernel of a product takes at a launch: d = relu?(alpha a b + beta c). What is added is a row where its rows are 0 apart.
struct cutlass_arguments {
    const float *a = nullptr, *b = nullptr, *c = nullptr;
    float* d = nullptr;
    int rows = 0, columns = 0, inner = 0, batches = 0;
    long long leading_a = 0, leading_b = 0, leading_c = 0, leading_d = 0;
    long long step_a = 0, step_b = 0, step_c = 0, step_d = 0;
    float alpha = 1, beta = 0;

    static constexpr std::size_t count = 18;

    /// Where each one stands, in the order of the kernel's parameters, as the driver takes them.
    [[nodiscard]] std::array<void*, count> places() {
        std::array<void*, count> made{};
        std::size_t at = 0;
        each(*this, [&](const char*, auto& value) { made[at++] = &value; });
        return made;
    }
    /// The kernel's parameters, in CUDA C++.
    [[nodiscard]] static std::string parameters() {
        std::string made;
        const cutlass_arguments none;
        each(none, [&](const char* name, const auto& value) { made += (made.empty() ? "" : ", ") + std::string(type_of(&value)) + name; });
        return made;
    }

private:
    /// The one list of them, so that the text and the launch cannot differ.
    template <class Self, class Visit>
    static void each(Self& self, Visit&& visit) {
        visit("a", self.a);
        visit("b", self.b);
        visit("c", self.c);
        visit("d", self.d);
        visit("rows", self.rows);
        visit("columns", self.columns);
        visit("inner", self.inner);
        visit("batches", self.batches);
        visit("leading_a", self.leading_a);
        visit("leading_b", self.leading_b);
        visit("leading_c", self.leading_c);
        visit("leading_d", self.leading_d);
        visit("step_a", self.step_a);
        visit("step_b", self.step_b);
        visit("step_c", self.step_c);
        visit("step_d", self.step_d);
        visit("alpha", self.alpha);
        visit("beta", self.beta);
    }
    static const char* type_of(const float* const*) { return "const float* "; }
    static const char* type_of(float* const*) { return "float* "; }
    static const char* type_of(const int*) { return "int "; }
    static const char* type_of(const long long*) { return "long long "; }
    static const char* type_of(const float*) { return "float "; }
};

}  // namespace inlay::detail

#endif
