import { testOnRuntimes } from '../test-on-runtimes.ts'
import { webhookCases } from './webhook-cases.ts'

const all = Object.keys(webhookCases)
testOnRuntimes(new URL('run-cases.ts', import.meta.url), { node: all, deno: all, bun: all })
