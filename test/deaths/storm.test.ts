import { expect, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { blowsOf } from './storms/blows.ts'
import { layoutsInTurn } from './storms/layouts-in-turn.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideStorm } from './storms/ride-storm.ts'

test.concurrent.for([
  ['one SQLite file', 'shortOnSqlite', async (): Promise<string | undefined> => undefined],
  ['one Postgres', 'shortOnPostgres', databaseOfFile],
] as const)(
  'three servers on %s, of which one is killed, closed or cut off from the jobs each second for 5 s, lose no job and pay for none twice',
  async ([, kind, open], { onTestFinished }) => {
    const database = await open()
    const storm = { blows: blowsOf[kind], seconds: 5, shared: database ? { database } : undefined }
    expectNothingLost(await rideStorm(storm, onTestFinished))
  },
)

test('three servers on one SQLite file lose no job, pay for none twice and delete nothing before its time when they are killed and the clock of their machine is set anywhere between a day back and 8 days ahead within 5 s', async ({
  onTestFinished,
}) => {
  const storm = { blows: blowsOf.shortClocks, seconds: 5, missetsClock: true }
  expectNothingLost(await rideStorm(storm, onTestFinished))
})

test('three servers of an older release on one SQLite file lose no job and pay for none twice when servers of the next release replace them within 5 s', async ({
  onTestFinished,
}) => {
  const releaseOf = (startedBefore: number) => (startedBefore < 3 ? 'older' : 'newest')
  const deployment = { blows: blowsOf.shortDeployment, seconds: 5, releaseOf } as const
  const survey = await rideStorm(deployment, onTestFinished)
  expectNothingLost(survey)
  expect(new Set(survey.campaign.servers.map(({ release }) => release))).toEqual(new Set(['older', 'newest']))
})

test('three servers on one SQLite file lose no job and pay for none twice when their models move to other providers and back, providers are removed and a key is rotated within 5 s', async ({
  onTestFinished,
}) => {
  const storm = { blows: blowsOf.shortMoves, seconds: 5, layoutOf: layoutsInTurn }
  expectNothingLost(await rideStorm(storm, onTestFinished))
})
