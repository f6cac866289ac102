import { testOnRuntimes } from '../test-on-runtimes.ts'
import { manyThreads } from './pool-cases.ts'

testOnRuntimes(new URL('run-cases.ts', import.meta.url), {
  node: [manyThreads],
  deno: [manyThreads],
  bun: [manyThreads],
})
