import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { webhookCases } from './webhook-cases.ts'

const names = Object.keys(runtimes) as Runtime[]
let verdicts: Record<Runtime, unknown>

beforeAll(async () => {
  const script = new URL('run-cases.ts', import.meta.url)
  const printed = await Promise.all(names.map(async (name) => [name, await printedBy(name, script)]))
  verdicts = Object.fromEntries(printed)
})

describe.each(names)('on %s', (runtime) => {
  test.each(Object.keys(webhookCases))('%s', (name) => {
    expect(verdicts[runtime]).toHaveProperty([name], 'holds')
  })
})
