import { expect, test } from 'vitest'
import { rideStorm } from './campaign/ride-storm.ts'
import type { Blow } from './campaign/storm-plan.ts'

/**
 * The length of the storm. `STORM_SECONDS=60 STORM_SEED=7` makes it last 60 s, with the same plan each time.
 */
const stormMs = Number(process.env['STORM_SECONDS'] ?? 16) * 1000
const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
const jobCount = 10 * (stormMs / 1000)
const clockSpeed = 10

/**
 * Two durations in milliseconds of the system, ten times as long for the service: longer than a lease of 30
 * s, and short.
 */
const [longMs, shortMs] = [3600, 300]
const kill: Blow = { what: 'kill' }
const outage = (store: 'jobs' | 'files', seconds: number, afterNextAnswer: boolean): Blow => ({
  what: 'outage',
  store,
  forMs: (seconds * 1000) / clockSpeed,
  afterNextAnswer,
})
const storms: Readonly<Record<string, readonly Blow[]>> = {
  'one is killed each second': [kill],
  'one is killed, frozen beyond its lease, cut off from a store or closed each second': [
    kill,
    kill,
    kill,
    kill,
    { what: 'close' },
    { what: 'freeze', forMs: longMs },
    { what: 'freeze', forMs: longMs },
    { what: 'freeze', forMs: longMs },
    { what: 'freeze', forMs: shortMs },
    outage('jobs', 15, false),
    outage('jobs', 15, true),
    outage('jobs', 15, true),
    outage('files', 10, false),
    outage('files', 10, true),
  ],
}

test.for(Object.entries(storms))(
  'three processes on one file, of which %s: no job is lost, none is paid for twice, and none that was paid for is dropped where anybody could have known',
  { timeout: stormMs * 2 + 360_000 },
  async ([, blows], { onTestFinished }) => {
    const storm = { lastsMs: stormMs, jobCount, seed, blows, clockSpeed }
    const { breaches, acknowledged } = await rideStorm(storm, onTestFinished)
    expect(breaches).toEqual([])
    expect(acknowledged).toBe(jobCount)
  },
)
