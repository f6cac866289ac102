import { expect, test } from 'vitest'
import { rideCronStorm } from './cron-storm.ts'

test('functions over libSQL that are killed again and again, also inside submits and crons, lose no job of 500, pay for none twice, drop none that is paid for and end each by a cron every minute, although nobody asks for a job again', async ({
  onTestFinished,
}) => {
  const jobs = Number(process.env['STORM_JOBS'] ?? 500)
  const everyMs = { cron: 60_000, create: 900 }
  const storm = await rideCronStorm({ jobs, speed: 3, everyMs }, onTestFinished)
  const { breaches, acknowledged, tearDowns, crons, lateMs, ambiguous } = storm
  const ofCreates = tearDowns.filter(({ prompt }) => prompt !== undefined)
  console.log({
    acknowledged: acknowledged.size,
    ambiguous,
    crons,
    killedCrons: tearDowns.length - ofCreates.length,
    killedCreates: ofCreates.length,
    medianMs: lateMs[Math.floor(lateMs.length / 2)],
    latestMs: lateMs.at(-1),
  })
  expect(breaches).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(jobs * 0.8)
  expect(ofCreates.filter(({ inside }) => inside.includes('submit')).length).toBeGreaterThan(0)
  expect(tearDowns.filter(({ inside }) => inside.includes('poll')).length).toBeGreaterThan(0)
  expect(tearDowns.length).toBeGreaterThan(ofCreates.length)
})
