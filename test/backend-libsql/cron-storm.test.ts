import { expect, test } from 'vitest'
import { rideCronStorm } from './cron-storm.ts'

// The deep suite has 500 jobs.
test('functions over libSQL that are killed, also inside a submit, lose no job of 20, pay for none twice and drop none that is paid for, although nobody asks for a job again', async ({
  onTestFinished,
}) => {
  const storm = { jobs: 20, speed: 6, everyMs: { cron: 30_000, create: 600 } }
  const { breaches, acknowledged } = await rideCronStorm(storm, onTestFinished)
  expect(breaches).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(10)
})
