// @module-tag needs/redis
import { test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { newName, sharedRedis } from './redis-server.ts'

const script = new URL('processes/run-suites.ts', import.meta.url)

test.each(['node', 'deno', 'bun'] as const)(
  'bullmqScheduler and redisSignals pass their whole suites, ten thousand jobs included, on %s',
  async (runtime) => {
    await suitesHoldOn(runtime, script, 'all', String((await sharedRedis()).port), newName(runtime))
  },
)
