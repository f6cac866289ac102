// @module-tag needs/faketime
import { expect, test } from 'vitest'
import { startSettablePostgres } from '../postgres/start-settable-postgres.ts'
import { until } from '../until.ts'
import { audit } from './audit/rules.ts'
import { storedJobs } from './audit/stored-jobs.ts'
import { dayMs, startCampaign } from './campaign/campaign.ts'
import { createKeyedJob } from './campaign/client.ts'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideStorm } from './storms/ride-storm.ts'
import { quickWish } from './vendor/task-wish.ts'

test('three servers on one SQLite file lose no job, pay for none twice, spend no more than each owner has, deliver each paid job whose outcome a server could know and delete nothing before its time when they are killed and frozen and the clock of their machine is set anywhere between a day back and 8 days ahead', async ({
  onTestFinished,
}) => {
  const storm = { blows: blowsOf.clocks, seconds: 20, missetsClock: true }
  expectNothingLost(await rideStorm(storm, onTestFinished))
})

test('three servers on one Postgres lose no job, pay for none twice, spend no more than each owner has, deliver each paid job whose outcome a server could know and delete nothing before its time when they are killed and frozen and the clocks of Postgres and of the machine of one of them are set anywhere between a day back and 8 days ahead', async ({
  onTestFinished,
}) => {
  const postgres = await startSettablePostgres({ speed: 10 })
  onTestFinished(() => postgres.stop())
  const storm = {
    blows: blowsOf.databaseClocks,
    seconds: 20,
    missetsClock: true,
    shared: { database: postgres.url('postgres') },
    databaseClock: postgres,
  }
  expectNothingLost(await rideStorm(storm, onTestFinished))
})

test('the auditor of the storms finds a breach when a server on Postgres deletes jobs because the clock of Postgres was set 8 days ahead', async ({
  onTestFinished,
}) => {
  const postgres = await startSettablePostgres({ speed: 20 })
  onTestFinished(() => postgres.stop())
  const campaign = await startCampaign(onTestFinished, {
    speed: 20,
    sharesClock: true,
    shared: { database: postgres.url('postgres') },
    databaseClock: postgres,
  })
  const server = campaign.start({ trouble: 'believes any clock' })
  const address = await server.address
  for (let index = 0; index < 5; index++)
    await createKeyedJob(campaign, address, {
      owner: 'alice',
      model: 'plain',
      wish: { ...quickWish, prompt: `job ${index}` },
    })
  await campaign.settled()
  const { database } = campaign.places
  expect((await storedJobs(database)).map(({ phase }) => phase)).toEqual(Array(5).fill('completed'))
  expect(await audit(campaign, campaign.clock.now())).toEqual([])
  campaign.misset(8 * dayMs)
  await until(async () => (await storedJobs(database)).length === 0)
  campaign.misset(0)
  const breaches = await audit(campaign, campaign.clock.now())
  expect(breaches.filter((text) => text.startsWith('lost:'))).toHaveLength(5)
})
