// @module-tag needs/swift
import { test } from 'vitest'
import { fileStoreSuite } from '@genmount/testing'
import { titlesOf } from '../conformance/suites-hold-on.ts'
import { suiteHoldsInBuckets } from './suite-holds-in-buckets.ts'

test.each(['deno', 'bun'] as const)(
  's3Files passes the whole conformance suite of file stores on %s, cases with many keys included',
  (runtime) => suiteHoldsInBuckets(runtime, titlesOf(fileStoreSuite)),
)
