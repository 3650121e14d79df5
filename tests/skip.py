# Copyright the inlay authors.
# SPDX-License-Identifier: Apache-2.0
"""A test that is skipped, with its reason: skip.py 'NAME REASON'."""
import sys

from tap import Tap

name, _, reason = sys.argv[1].partition(" ")
tap = Tap()
tap.skip(name, reason)
sys.exit(tap.done())
