import { testOnRuntimes } from '../test-on-runtimes.ts'
import { manyThreads } from './pool-cases.ts'

testOnRuntimes(new URL('run-cases.ts', import.meta.url), { deno: [manyThreads], bun: [manyThreads] })
