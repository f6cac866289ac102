import { beforeAll, expect, test } from 'vitest'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { printedBy } from '../processes/run-program.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

test.each(['deno', 'bun'] as const)(
  'on %s the suites of jobs and signals pass, and the process ends by itself once everything is closed',
  async (runtime) => {
    const script = new URL('processes/suites.ts', import.meta.url)
    const printed = await printedBy(runtime, script, { args: [url, newSchema()] })
    expect(printed).toMatchObject({ failing: [] })
    expect((printed as { passed: number }).passed).toBeGreaterThan(60)
  },
)
