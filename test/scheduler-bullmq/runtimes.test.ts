// @module-tag needs/redis
import { beforeAll, expect, test } from 'vitest'
import { jobSignalsSuite, schedulerSuite } from '@genmount/testing'
import { printedBy } from '../processes/run-program.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

const neverCreated = () => {
  throw new Error('Only the names are of interest.')
}

test.each(['node', 'deno', 'bun'] as const)(
  'on %s wakes and signals keep every promise, and leave nothing that keeps the process alive',
  async (runtime) => {
    const script = new URL('processes/suites-on-runtime.ts', import.meta.url)
    const cases = [schedulerSuite(neverCreated), jobSignalsSuite(neverCreated)].flatMap(Object.keys)
    expect(await printedBy(runtime, script, { args: [String(redis.port), runtime] })).toEqual({
      cases: cases.length,
      failing: [],
    })
  },
)
