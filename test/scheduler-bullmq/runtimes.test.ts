// @module-tag needs/redis
import { jobSignalsSuite, schedulerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { lightOf, suitesHoldOn, titlesOf } from '../conformance/suites-hold-on.ts'
import { newName, sharedRedis } from './redis-server.ts'

const script = new URL('processes/run-suites.ts', import.meta.url)
const titles = lightOf(titlesOf(schedulerSuite, jobSignalsSuite))

test.concurrent.each(['node', 'deno', 'bun'] as const)(
  'bullmqScheduler and redisSignals pass their suites on %s, and the process ends by itself',
  async (runtime) => {
    await suitesHoldOn(runtime, script, titles, String((await sharedRedis()).port), newName(runtime))
  },
)
