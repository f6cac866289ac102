import { testOnRuntimes } from '../test-on-runtimes.ts'
import { manyThreads, poolCases } from './pool-cases.ts'

// The deep suite has the case of many threads, on all runtimes.
const most = Object.keys(poolCases).filter((name) => name !== manyThreads)
testOnRuntimes(new URL('run-cases.ts', import.meta.url), { node: most, deno: most, bun: most })
