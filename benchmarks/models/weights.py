# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""Seeded weights: every tensor's values follow from the model's and its own name alone."""
import hashlib
import math

import numpy as np


def generator(*names):
    seed = hashlib.sha256("/".join(names).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(seed[:16], "little")))


def normal(rng, shape, deviation):
    values = rng.standard_normal(shape, dtype=np.float32)
    values *= np.float32(deviation)
    return values


def he_normal(rng, shape, fan_in):
    """Keeps the mean square of activations through a layer that a ReLU follows."""
    return normal(rng, shape, math.sqrt(2.0 / fan_in))


def uniform(rng, shape, low, high):
    return (low + (high - low) * rng.random(shape, dtype=np.float32)).astype(np.float32)
