// @module-tag needs/redis
import { test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { newName, sharedRedis } from './redis-server.ts'

const script = new URL('processes/run-suites.ts', import.meta.url)

test.concurrent.each(['node', 'deno', 'bun'] as const)(
  'bullmqScheduler and redisSignals pass their suites on %s, and the process ends by itself',
  async (runtime) => {
    await suitesHoldOn(runtime, script, 'light', String((await sharedRedis()).port), newName(runtime))
  },
)
