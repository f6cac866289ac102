// @module-tag needs/redis
import { beforeAll, expect, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { type RedisServer, startRedis } from '../scheduler-bullmq/redis-server.ts'
import { audit } from './audit/rules.ts'
import { storedJobs } from './audit/stored-jobs.ts'
import { startCampaign } from './campaign/campaign.ts'
import { createKeyedJob } from './campaign/client.ts'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideStorm } from './storms/ride-storm.ts'
import { quickWish } from './vendor/task-wish.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

test.for(['timers', 'BullMQ'] as const)(
  'three servers on one Postgres with wake-ups by %s, of which one is killed or frozen each second, or all lose their connections, lose no job, pay for none twice, spend no more than each owner has, and deliver each paid job whose outcome a server could know',
  async (waker, { onTestFinished }) => {
    const database = await databaseOfFile()
    // BullMQ knows only the time of the system. So that jobs end soon all the same, it gets the vendors that can be asked
    // about a submit at once.
    const byBullmq = {
      clockSpeed: 1,
      models: ['find', 'dedupe'],
      shared: { database, redis: `redis://127.0.0.1:${redis.port}` },
    } as const
    const shared = waker === 'BullMQ' ? byBullmq : { shared: { database } }
    const storm = { blows: blowsOf.onPostgres, seconds: 16, ...shared }
    expectNothingLost(await rideStorm(storm, onTestFinished))
  },
)

test('three servers on one Postgres that are asked for 500 jobs submit each job once and poll no task at the same time', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { shared: { database: await databaseOfFile() } })
  for (let node = 0; node < 3; node++) campaign.start()
  const addresses = await campaign.addresses()
  const create = async (index: number) => {
    const wish = { ...quickWish, prompt: `job ${index}`, task_ms: 1500 }
    await createKeyedJob(campaign, addresses[index % 3] ?? '', { owner: 'alice', model: 'plain', wish })
  }
  for (let first = 0; first < 500; first += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(first + index)))
  expect(await audit(campaign, campaign.clock.now())).toEqual([])
  const jobs = await storedJobs(campaign.places.database)
  expect(jobs.map(({ phase }) => phase)).toEqual(Array(500).fill('completed'))
  expect(campaign.vendor.ledger).toHaveLength(500)
})
