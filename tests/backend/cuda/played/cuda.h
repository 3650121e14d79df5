/* Copyright the inlay authors. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INLAY_TESTS_BACKEND_CUDA_PLAYED_CUDA_H
#define INLAY_TESTS_BACKEND_CUDA_PLAYED_CUDA_H

#include <stddef.h>

/* The bytes at an address of the played device, as the processor reaches them; null, with a line on standard error that says who asked, where
   they do not all lie in one block of its memory. */
void* played_bytes(const char* who, const void* address, size_t bytes);

/* Whether a stream is the one that the played driver made. */
int played_stream(const void* stream);

#endif
