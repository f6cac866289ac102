import { testOnRuntimes } from '../test-on-runtimes.ts'
import { providerCases } from './provider-cases.ts'

const all = Object.keys(providerCases)
// What differs between runtimes is how they send requests, break them off and check signatures. The deep suite has every case of
// every provider on all runtimes.
const short = all.filter((name) => /completes a job and|genuine webhook|^replicate in its suite/.test(name))
testOnRuntimes(new URL('run-cases.ts', import.meta.url), { node: all, deno: short, bun: short })
