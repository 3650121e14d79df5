// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#ifndef INLAY_CORE_LINKAGE_HPP
#define INLAY_CORE_LINKAGE_HPP

/// Stands before a function that is no template and has its definition in a file of its own, `NAME.ipp` beside `NAME.hpp`. The library is
/// headers alone: the header includes that file, and the function is inline. Where a whole program defines `INLAY_SEPARATE_COMPILATION`,
/// headers only declare such functions, and the sources in `inlay/impl/`, compiled once with it, define them.
#ifdef INLAY_SEPARATE_COMPILATION
#define INLAY_FUNCTION
#else
#define INLAY_FUNCTION inline
#endif

/// The same, before the declaration and the definition of a function that takes long to compile: where the library is headers alone, it is
/// a template, so that nothing of it is compiled where nobody calls it.
#ifdef INLAY_SEPARATE_COMPILATION
#define INLAY_LAZY_FUNCTION
#define INLAY_LAZY_DEFINITION
#else
#define INLAY_LAZY_FUNCTION template <class = void>
#define INLAY_LAZY_DEFINITION template <class Void>
#endif

namespace inlay {

extern "C" {
// A program of which some files define the macro and others do not would have every such function twice, of two kinds. One name is a
// thread's own in the one mode and everybody's in the other, which ELF linkers refuse, and they print the name.
#ifdef INLAY_SEPARATE_COMPILATION
[[gnu::used]] inline char inlay_separate_compilation_is_defined_in_some_files_of_this_program_only = 0;
#else
[[gnu::used]] inline thread_local char inlay_separate_compilation_is_defined_in_some_files_of_this_program_only = 0;
#endif
}

}  // namespace inlay

#endif
