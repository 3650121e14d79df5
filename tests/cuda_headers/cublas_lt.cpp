// Copyright the inlay authors.
// SPDX-License-Identifier: Apache-2.0
#include <cublasLt.h>

#include <cstddef>

#include <inlay/backend/cublas_lt/cublas_lt_library.hpp>

#include "called_alike.hpp"

using namespace cuda_headers_test;
using ours = inlay::detail::cublas_lt_library;
using choice = inlay::detail::cublas_lt_choice;

static_assert(is_called_alike<decltype(ours::version), decltype(&cublasLtGetVersion)>);
static_assert(is_called_alike<decltype(ours::status_text), decltype(&cublasLtGetStatusString)>);
static_assert(is_called_alike<decltype(ours::create), decltype(&cublasLtCreate)>);
static_assert(is_called_alike<decltype(ours::create_product), decltype(&cublasLtMatmulDescCreate)>);
static_assert(is_called_alike<decltype(ours::set_of_product), decltype(&cublasLtMatmulDescSetAttribute)>);
static_assert(is_called_alike<decltype(ours::destroy_product), decltype(&cublasLtMatmulDescDestroy)>);
static_assert(is_called_alike<decltype(ours::create_matrix), decltype(&cublasLtMatrixLayoutCreate)>);
static_assert(is_called_alike<decltype(ours::set_of_matrix), decltype(&cublasLtMatrixLayoutSetAttribute)>);
static_assert(is_called_alike<decltype(ours::destroy_matrix), decltype(&cublasLtMatrixLayoutDestroy)>);
static_assert(is_called_alike<decltype(ours::create_preference), decltype(&cublasLtMatmulPreferenceCreate)>);
static_assert(is_called_alike<decltype(ours::set_of_preference), decltype(&cublasLtMatmulPreferenceSetAttribute)>);
static_assert(is_called_alike<decltype(ours::destroy_preference), decltype(&cublasLtMatmulPreferenceDestroy)>);
static_assert(is_called_alike<decltype(ours::choose), decltype(&cublasLtMatmulAlgoGetHeuristic)>);
static_assert(is_called_alike<decltype(ours::multiply), decltype(&cublasLtMatmul)>);

static_assert(CUBLAS_STATUS_SUCCESS == 0 && ours::not_supported == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(ours::element_float32 == CUDA_R_32F && CUBLAS_OP_N == 0 && CUBLAS_OP_T == 1);
static_assert(ours::compute_float32 == CUBLAS_COMPUTE_32F && ours::compute_tf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(ours::product_transposes_a == CUBLASLT_MATMUL_DESC_TRANSA && ours::product_transposes_b == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(ours::product_epilogue == CUBLASLT_MATMUL_DESC_EPILOGUE && ours::product_bias == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(ours::matrix_batches == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
static_assert(ours::matrix_batch_step == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(ours::preference_workspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(ours::preference_alignment_a == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(ours::preference_alignment_a + 1 == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
static_assert(ours::preference_alignment_a + 2 == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
static_assert(ours::preference_alignment_a + 3 == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(ours::epilogue_none == CUBLASLT_EPILOGUE_DEFAULT && ours::epilogue_relu == CUBLASLT_EPILOGUE_RELU);
static_assert(ours::epilogue_bias == CUBLASLT_EPILOGUE_BIAS);
static_assert((ours::epilogue_relu | ours::epilogue_bias) == CUBLASLT_EPILOGUE_RELU_BIAS);

static_assert(sizeof(choice) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(sizeof(choice::algorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(offsetof(choice, workspace_bytes) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(choice, status) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(offsetof(choice, waves) == offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));
