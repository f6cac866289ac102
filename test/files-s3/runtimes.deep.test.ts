// @module-tag needs/swift
import { test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'

test.each(['deno', 'bun'] as const)(
  's3Files passes the whole conformance suite of file stores on %s, cases with many keys included',
  (runtime) => suitesHoldOn(runtime, new URL('suite-on-runtime.ts', import.meta.url), 'all'),
)
