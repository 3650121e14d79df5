// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <inlay/candidate/backend_vtable.hpp>
#include <inlay/codegen/emit/emit_composite.hpp>
#include <inlay/codegen/kernel/kernel_store.hpp>

#include "tests/compile_fail/a_backend.hpp"

using mine = a_backend;

// the snippet

template const inlay::backend_vtable& inlay::backend_vtable_of<mine>();
template inlay::outcome<inlay::kernel> inlay::emit_composite(const mine&, const inlay::composite_job&);
template inlay::outcome<inlay::external_kernel> inlay::emit_composite(const mine&, const inlay::composite_job&, inlay::kernel_store&);

int main() {
    const auto empty = inlay::emit_composite(mine(), inlay::composite_job{});
    return inlay::backend_vtable_of<mine>().count == 1 && !empty ? 0 : 1;
}
