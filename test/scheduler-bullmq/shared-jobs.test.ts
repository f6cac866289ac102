// @module-tag needs/redis
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, systemClock } from '@genmount/core'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { fakeProvider } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { created } from '../created.ts'
import { until } from '../until.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

/** Two services on one SQLite file and one Redis, with one provider. */
function twoServices(delayMs: number) {
  const file = temporaryFile()
  const log = { warn() {}, error() {} }
  const provider = fakeProvider({ clock: systemClock(), behave: () => ({ delayMs }) })
  const services = [1, 2].map(() => {
    const scheduler = bullmqScheduler({ connection: { port: redis.port }, log })
    const signals = redisSignals({ client: redis.client(), log })
    const backend = { ...sqliteBackend({ file }), scheduler, signals }
    const service = createGenerationService({ providers: [provider], backend, log, waitBudgetMs: 300_000 })
    onTestFinished(async () => void (await service.close({ timeoutMs: 5000 })))
    service.start()
    return service
  })
  return { provider, services }
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('when Redis is flushed and killed in the middle of 200 jobs of two nodes, all end and each is paid for once', async () => {
  const { provider, services } = twoServices(3000)
  const lives = Array.from({ length: 200 }, async (_, index) => {
    const input = { prompt: `picture ${index}` }
    const { id } = await created(services[index % 2]!, { owner: 'alice', model: 'fake-image', input })
    // The other node waits for the job.
    return services[(index + 1) % 2]!.waitFor(id, 'alice')
  })
  await pass(1000)
  await redis.client().flushall()
  await pass(1000)
  await redis.signal('SIGKILL')
  const jobs = await Promise.all(lives)
  expect(jobs.filter(({ phase }) => phase === 'completed')).toHaveLength(200)
  expect(provider.ledger).toHaveLength(200)
  await redis.start()
})

test('a service closes the scheduler and the signals that an app has put into its backend', async () => {
  const probe = redis.client()
  const clients = async () => Number(/connected_clients:(\d+)/.exec(await probe.info('clients'))?.[1])
  const { services } = twoServices(100)
  const { job } = await services[0]!.create({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt: 'a fox' },
  })
  expect(await services[1]!.waitFor(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  for (const service of services) expect(await service.close()).toEqual({ leftJobs: [], unclosed: [] })
  // The clients of the app: the probe and one for each node.
  await until(async () => (await clients()) === 3)
})
