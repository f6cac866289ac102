import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from './processes/run-program.ts'
import type { Runtime } from './processes/runtimes.ts'

/**
 * Declares a test for each case on each runtime.
 * @param script prints with `printVerdicts` what becomes of the cases that it is started with
 */
export function testOnRuntimes(
  script: URL,
  casesOn: Readonly<Partial<Record<Runtime, readonly string[]>>>,
): void {
  describe.each(Object.entries(casesOn) as [Runtime, readonly string[]][])('on %s', (runtime, cases) => {
    let verdicts: unknown

    beforeAll(async () => {
      verdicts = await printedBy(runtime, script, { args: cases, timeoutMs: 300_000 })
    })

    test.each(cases)('%s', (name) => {
      expect(verdicts).toHaveProperty([name], 'holds')
    })
  })
}
