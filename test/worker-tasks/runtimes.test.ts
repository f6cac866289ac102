import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { poolCases } from './pool-cases.ts'

describe.each(Object.keys(runtimes) as Runtime[])('workerPool on %s', (runtime) => {
  let verdicts: unknown

  beforeAll(async () => {
    verdicts = await printedBy(runtime, new URL('run-cases.ts', import.meta.url))
  })

  test.each(Object.keys(poolCases))('%s', (name) => {
    expect(verdicts).toHaveProperty([name], 'holds')
  })
})
