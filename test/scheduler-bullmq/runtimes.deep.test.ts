// @module-tag needs/redis
import { jobSignalsSuite, schedulerSuite } from '@genmount/testing'
import { test } from 'vitest'
import { suitesHoldOn, titlesOf } from '../conformance/suites-hold-on.ts'
import { newName, sharedRedis } from './redis-server.ts'

const script = new URL('processes/run-suites.ts', import.meta.url)

test.each(['node', 'deno', 'bun'] as const)(
  'bullmqScheduler and redisSignals pass their whole suites, ten thousand jobs included, on %s',
  async (runtime) => {
    const titles = titlesOf(schedulerSuite, jobSignalsSuite)
    await suitesHoldOn(runtime, script, titles, String((await sharedRedis()).port), newName(runtime))
  },
)
