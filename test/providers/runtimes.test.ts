import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { providerCases } from './provider-cases.ts'

const all = Object.keys(runtimes) as Runtime[]
const verdicts = new Map<Runtime, unknown>()

beforeAll(async () => {
  const script = new URL('run-cases.ts', import.meta.url)
  await Promise.all(all.map(async (runtime) => verdicts.set(runtime, await printedBy(runtime, script))))
})

describe.each(all)('on %s', (runtime) => {
  test.each(Object.keys(providerCases))('%s', (name) => {
    expect(verdicts.get(runtime)).toHaveProperty([name], 'holds')
  })
})
