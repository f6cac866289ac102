import { testOnRuntimes } from '../test-on-runtimes.ts'
import { manyThreads, poolCases } from './pool-cases.ts'

// The deep suite has the case of many threads on all runtimes.
const all = Object.keys(poolCases)
const most = all.filter((name) => name !== manyThreads)
testOnRuntimes(new URL('run-cases.ts', import.meta.url), { node: all, deno: most, bun: most })
