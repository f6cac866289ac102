// @module-tag needs/swift
// @module-tag needs/linux
import { expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { verifyingServer } from './servers/verifying-server.ts'

test.concurrent.each(['node', 'deno', 'bun'] as const)(
  '200 MB stored from a stream come back whole, and raise memory by less than 100 MB, on %s',
  async (runtime) => {
    const { createBucket } = await verifyingServer()
    const args = [JSON.stringify(await createBucket())]
    const script = new URL('large-film.ts', import.meta.url)
    const printed = (await printedBy(runtime, script, { args, timeoutMs: 170_000 })) as { raisedMB: number }
    expect(printed).toMatchObject({ status: 200, isSame: true })
    expect(printed.raisedMB).toBeLessThan(100)
  },
)
