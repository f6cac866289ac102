import { expect, test } from 'vitest'
import { rideObjectStorm } from './object-storm.ts'

// The deep suite has 500 jobs.
test('services in Durable Objects whose workerd is torn down twice, also inside a submit, lose no job of 20, pay for none twice and drop none that is paid for, although nobody asks for a job again', async ({
  onTestFinished,
}) => {
  const everyMs = { tearDown: 700, create: 300 }
  const storm = { jobs: 20, objects: 2, tearDowns: 2, everyMs }
  const { breaches, acknowledged } = await rideObjectStorm(storm, onTestFinished)
  expect(breaches).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(10)
})
