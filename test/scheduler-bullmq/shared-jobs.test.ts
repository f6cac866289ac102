// @module-tag needs/redis
import { setTimeout as pass } from 'node:timers/promises'
import { expect, type onTestFinished as OnTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, systemClock } from '@genmount/core'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { fakeProvider } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { created } from '../created.ts'
import { until } from '../until.ts'
import { redisOfTest } from './redis-server.ts'

/** Two services on one SQLite file and a Redis of their own, with one provider. */
async function twoServices(delayMs: number, onTestFinished: typeof OnTestFinished) {
  const redis = await redisOfTest(onTestFinished)
  const file = temporaryFile(onTestFinished)
  const log = { warn() {}, error() {} }
  const provider = fakeProvider({ clock: systemClock(), behave: () => ({ delayMs }) })
  const services = [1, 2].map(() => {
    const scheduler = bullmqScheduler({ connection: { port: redis.port }, log })
    const signals = redisSignals({ client: redis.client(onTestFinished), log })
    const backend = { ...sqliteBackend({ file }), scheduler, signals }
    const service = createGenerationService({ providers: [provider], backend, log, waitBudgetMs: 300_000 })
    onTestFinished(async () => void (await service.close({ timeoutMs: 5000 })))
    service.start()
    return service
  })
  return { redis, provider, services }
}

test.concurrent('when Redis is flushed and killed in the middle of 200 jobs of two nodes, all jobs complete and each is paid for once', async ({
  onTestFinished,
}) => {
  const { redis, provider, services } = await twoServices(3000, onTestFinished)
  const lives = Array.from({ length: 200 }, async (_, index) => {
    const input = { prompt: `picture ${index}` }
    const { id } = await created(services[index % 2]!, { owner: 'alice', model: 'fake-image', input })
    // The other node waits for the job.
    return services[(index + 1) % 2]!.waitFor(id, 'alice')
  })
  await pass(1000)
  await redis.client(onTestFinished).flushall()
  await pass(1000)
  await redis.kill()
  const jobs = await Promise.all(lives)
  expect(jobs.filter(({ phase }) => phase === 'completed')).toHaveLength(200)
  expect(provider.ledger).toHaveLength(200)
})

test.concurrent('a service closes the scheduler and the signals of its backend, and leaves the Redis clients of the app open', async ({
  onTestFinished,
}) => {
  const { redis, services } = await twoServices(100, onTestFinished)
  const probe = redis.client(onTestFinished)
  const clients = async () => Number(/connected_clients:(\d+)/.exec(await probe.info('clients'))?.[1])
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
