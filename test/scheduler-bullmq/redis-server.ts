import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { sharedServer } from '../suite/shared-server.ts'
import { launchRedis } from './launch-redis.ts'

export type SharedRedis = Awaited<ReturnType<typeof sharedRedis>>
export type RedisServer = Awaited<ReturnType<typeof startRedis>>

/** The Redis that all test files of the run share. Each takes names of its own for what it stores there: {@link newName}. */
export async function sharedRedis() {
  return serverAt(Number(new URL(await sharedServer('redis')).port))
}

/** Starts a Redis that a test may put into trouble. The caller stops it when its tests are over. */
export async function startRedis() {
  const server = await launchRedis()
  return { ...server, ...serverAt(server.port) }
}

/** A Redis that goes with the test. */
export async function redisOfTest(onFinished = onTestFinished) {
  const redis = await startRedis()
  onFinished(redis.stop)
  return redis
}

const serverAt = (port: number) => ({
  port,
  /** A client that is closed with the test. @param onFinished that of the context, in `test.concurrent` */
  client(onFinished = onTestFinished) {
    const client = new Redis({ port })
    client.on('error', () => {})
    onFinished(() => client.disconnect())
    return client
  },
})

let names = 0

/** A name that no other test file of the run uses. */
export const newName = (what: string) => `${what}-${process.pid}-${names++}`
