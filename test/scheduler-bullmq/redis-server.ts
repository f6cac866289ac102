import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { freePort } from '../free-port.ts'
import { sharedServer } from '../suite/shared-server.ts'
import { launchRedis } from './launch-redis.ts'

export interface SharedRedis {
  readonly port: number
  /** A client that is closed with the test. @param onFinished that of the context, in `test.concurrent` */
  client(onFinished?: typeof onTestFinished): Redis
}

/** A Redis that a test may put into trouble. */
export interface RedisServer extends SharedRedis {
  freeze(): Promise<void>
  thaw(): void
  kill(): Promise<unknown>
  /** Starts the server again on its port after it was killed, empty. */
  start(): Promise<void>
  /** Ends the server. */
  stop(): Promise<unknown>
}

/** The Redis that all test files of the run share. Each takes names of its own for what it stores there: {@link newName}. */
export async function sharedRedis(): Promise<SharedRedis> {
  const { port } = new URL(await sharedServer('redis'))
  return serverAt(Number(port))
}

/** Starts a Redis of its own. The caller stops it when its tests are over. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  let server = await launchRedis(port)
  return {
    ...serverAt(port),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    kill: () => server.kill(),
    start: async () => void (server = await launchRedis(port)),
    stop: () => server.kill(),
  }
}

function serverAt(port: number): SharedRedis {
  return {
    port,
    client(onFinished = onTestFinished) {
      const client = new Redis({ port })
      client.on('error', () => {})
      onFinished(() => client.disconnect())
      return client
    },
  }
}

let names = 0

/** A name that no other test file of the run uses. */
export const newName = (what: string) => `${what}-${process.pid}-${names++}`
