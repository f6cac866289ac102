// @module-tag needs/linux
import { test } from 'vitest'
import { expectNothingLeft } from './cycles/expect-nothing-left.ts'

test.concurrent.for([
  ['node', 12],
  ['deno', 8],
  ['bun', 8],
] as const)(
  'a process on %s that starts and closes %i services leaves nothing open, and ends by itself',
  ([runtime, cycles]) => expectNothingLeft(runtime, cycles),
)
