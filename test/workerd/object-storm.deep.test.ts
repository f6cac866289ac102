import { expect, test } from 'vitest'
import { rideObjectStorm } from './object-storm.ts'

test('services in Durable Objects whose workerd is torn down again and again, also inside submits and alarms, lose no job of 500, pay for none twice, drop none that is paid for and end each by an alarm, although nobody asks for a job again', async ({
  onTestFinished,
}) => {
  const jobs = Number(process.env['STORM_JOBS'] ?? 500)
  const storm = { jobs, objects: 5, tearDowns: Math.ceil(jobs / 40), everyMs: { tearDown: 4000, create: 80 } }
  const { breaches, acknowledged, tearDowns, lateMs, ambiguous } = await rideObjectStorm(
    storm,
    onTestFinished,
  )
  console.log({
    acknowledged: acknowledged.size,
    ambiguous,
    medianMs: lateMs[Math.floor(lateMs.length / 2)],
    latestMs: lateMs.at(-1),
  })
  expect(breaches).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(jobs * 0.9)
  for (const call of ['submit', 'poll'] as const)
    expect(tearDowns.filter(({ inside }) => inside.includes(call)).length).toBeGreaterThan(0)
})
