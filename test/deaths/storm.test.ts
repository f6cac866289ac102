import { expect, test } from 'vitest'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideStorm } from './storms/ride-storm.ts'

// The deep suite has storms of more blows, on Postgres, with clocks that are set and with models that move.
test('three servers on one SQLite file, of which one is killed, closed or cut off from the jobs each second for 5 s, lose no job, pay for none twice and spend no more than each owner has', async ({
  onTestFinished,
}) => {
  expectNothingLost(await rideStorm({ blows: blowsOf.shortOnSqlite, seconds: 5 }, onTestFinished))
})

test('three servers of an older release on one SQLite file lose no job and pay for none twice when servers of the next release replace them within 3 s', async ({
  onTestFinished,
}) => {
  const releaseOf = (startedBefore: number) => (startedBefore < 3 ? 'older' : 'newest')
  const deployment = { blows: blowsOf.shortDeployment, seconds: 3, releaseOf } as const
  const survey = await rideStorm(deployment, onTestFinished)
  expectNothingLost(survey)
  expect(new Set(survey.campaign.servers.map(({ release }) => release))).toEqual(new Set(['older', 'newest']))
})
