import { createClient } from '@libsql/client'
import { expect, onTestFinished, test } from 'vitest'
import { libsqlBackend } from '@genmount/backend-libsql'
import { systemClock } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'

/** A backend of a function with a client of its own, whose host has a clock that is ahead by this much. */
function functionOn(file: string, aheadMs = 0) {
  const client = createClient({ url: `file:${file}` })
  const clock = systemClock()
  const backend = libsqlBackend({ client, clock: { ...clock, now: () => clock.now() + aheadMs } })
  onTestFinished(async () => {
    await backend.close()
    client.close()
  })
  return backend
}

test('functions that start at once on an empty database all become ready', async () => {
  const file = temporaryFile()
  const functions = Array.from({ length: 5 }, () => functionOn(file))
  await Promise.all(functions.map(({ ready }) => ready!()))
  const outcomes = await Promise.all(
    functions.map(({ jobs }, index) => jobs.insert(exampleJob({ id: `job-${index}` }))),
  )
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(5).fill('inserted'))
})

test('functions whose hosts have clocks an hour apart agree on the time to a second', async () => {
  const file = temporaryFile()
  const functions = [-3_600_000, 0, 3_600_000].map((aheadMs) => functionOn(file, aheadMs))
  for (const { ready } of functions) await ready!()
  for (const { clock } of functions) expect(Math.abs(clock!.now() - Date.now())).toBeLessThan(1000)
})
