import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { webhookCases } from './webhook-cases.ts'

describe.each(Object.keys(runtimes) as Runtime[])('on %s', (runtime) => {
  let verdicts: unknown

  beforeAll(async () => {
    verdicts = await printedBy(runtime, new URL('run-cases.ts', import.meta.url))
  })

  test.each(Object.keys(webhookCases))('%s', (name) => {
    expect(verdicts).toHaveProperty([name], 'holds')
  })
})
