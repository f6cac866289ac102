// @module-tag needs/redis
import { beforeAll, expect, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { type RedisServer, startRedis } from '../scheduler-bullmq/redis-server.ts'
import { startCampaign } from './campaign/campaign.ts'
import { createKeyedJob } from './campaign/client.ts'
import { rideStorm } from './campaign/ride-storm.ts'
import type { Blow } from './campaign/storm-plan.ts'
import { inspect } from './audit/auditor.ts'
import { quickWish } from './vendor/task-wish.ts'

/** The length of the storm. `STORM_SECONDS=60 STORM_SEED=7` makes it last 60 s, with the same plan each time. */
const stormMs = Number(process.env['STORM_SECONDS'] ?? 16) * 1000
const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
const jobCount = 10 * (stormMs / 1000)

const kill: Blow = { what: 'kill' }
/** By a clock that runs ten times as fast as that of the system, this is longer than a lease of 30 s. */
const freeze: Blow = { what: 'freeze', forMs: 3600 }
const disconnect: Blow = { what: 'disconnect' }

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

test.for(['timers', 'BullMQ'] as const)(
  'three nodes on one Postgres whose jobs %s wake, of which one is killed or frozen each second, or all lose their connections: no job is lost, none is paid for twice, and none that was paid for is dropped where anybody could have known',
  { timeout: stormMs * 2 + 360_000 },
  async (waker, { onTestFinished }) => {
    const database = await databaseOfFile()
    const shared = { database, redis: waker === 'BullMQ' ? `redis://127.0.0.1:${redis.port}` : undefined }
    // BullMQ knows only the time of the system. So that jobs end soon all the same, it gets the vendors that can be asked
    // about a submit at once.
    const pace =
      waker === 'BullMQ' ? { clockSpeed: 1, models: ['find', 'dedupe'] as const } : { clockSpeed: 10 }
    const storm = {
      lastsMs: stormMs,
      jobCount,
      seed,
      blows: [kill, kill, freeze, disconnect, kill, kill, freeze],
      ...pace,
      shared,
    }
    const { breaches, acknowledged } = await rideStorm(storm, onTestFinished)
    expect(breaches).toEqual([])
    expect(acknowledged).toBe(jobCount)
  },
)

test('of 500 creates over three nodes each is submitted once, and no task is polled by two nodes at a time', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, 1, { database: await databaseOfFile() })
  for (let node = 0; node < 3; node++) campaign.start()
  const addresses = await campaign.addresses()
  const create = async (index: number) => {
    const wish = { ...quickWish, prompt: `job ${index}`, task_ms: 1500 }
    await createKeyedJob(campaign, addresses[index % 3] ?? '', { owner: 'alice', model: 'plain', wish })
  }
  for (let first = 0; first < 500; first += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(first + index)))
  expect(await inspect(campaign, campaign.clock.now())).toEqual({ breaches: [], unavoidable: [] })
  expect(campaign.vendor.ledger).toHaveLength(500)
})
