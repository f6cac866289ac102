// @module-tag needs/redis
import { beforeAll, describe, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { backendSuite, jobSignalsSuite, schedulerSuite } from '@genmount/testing'
import { temporaryFile } from '../backend-sqlite/temporary-file.ts'
import { heavy } from '../conformance/print-suites.ts'
import { until } from '../until.ts'
import { newName, sharedRedis, type SharedRedis } from './redis-server.ts'

let redis: SharedRedis
beforeAll(async () => {
  redis = await sharedRedis()
})

const scheduler = () => bullmqScheduler({ connection: { port: redis.port }, queue: newName('queue') })

/** Signals whose subscription is in place. They wake every subscriber once at the moment when it comes into place. */
async function subscribed(channel: string) {
  const signals = redisSignals({ client: redis.client(), channel })
  let isAwake = false
  const end = signals.subscribe('any', () => (isAwake = true))
  await until(() => isAwake)
  end()
  return signals
}

const suites = {
  'wakes through BullMQ': schedulerSuite(() => ({ scheduler: scheduler(), latenessMs: 60_000 })),
  'signals through Redis, within a node': jobSignalsSuite(async () => {
    const signals = await subscribed(newName('channel'))
    return { signals, close: signals.close }
  }),
  'signals through Redis, from one node to another': jobSignalsSuite(async () => {
    const channel = newName('channel')
    const [signals, publisher] = await Promise.all([subscribed(channel), subscribed(channel)])
    const close = () => Promise.all([signals.close(), publisher.close()])
    return { signals, publisher, close }
  }),
  'a SQLite backend with BullMQ wake-ups and Redis signals': backendSuite(() => {
    const backend = sqliteBackend({ file: temporaryFile() })
    const signals = redisSignals({ client: redis.client() })
    const close = async () => {
      await signals.close()
      await backend.close()
    }
    return { backend: { ...backend, scheduler: scheduler(), signals, close } }
  }),
}

// The deep suite has the case with ten thousand wake-ups, on every runtime; `cluster.test.ts` has 3,000.
for (const [what, suite] of Object.entries(suites)) {
  describe(what, () => {
    for (const [name, run] of Object.entries(suite)) if (!heavy.test(name)) test(name, run)
  })
}
