import { testOnRuntimes } from '../test-on-runtimes.ts'
import { providerCases } from './provider-cases.ts'

const all = Object.keys(providerCases)
// A provider with answers, and one with tasks. The deep suite has every case of every provider on all runtimes.
const short = all.filter((name) =>
  /completes a job and|genuine webhook|^(the provider )?(openai|replicate) /.test(name),
)
testOnRuntimes(new URL('run-cases.ts', import.meta.url), { node: all, deno: short, bun: short })
