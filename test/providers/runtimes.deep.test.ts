import { testOnRuntimes } from '../test-on-runtimes.ts'
import { providerCases } from './provider-cases.ts'

const all = Object.keys(providerCases)
testOnRuntimes(new URL('run-cases.ts', import.meta.url), { deno: all, bun: all })
