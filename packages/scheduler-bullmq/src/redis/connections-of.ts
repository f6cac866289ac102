import { type Queue, RedisConnection, type Worker } from 'bullmq'

/** The connections of a queue or a worker. A worker has two: on the second one it waits for jobs. */
export function connectionsOf(part: Queue | Worker): readonly RedisConnection[] {
  return Object.values(part).filter((value) => value instanceof RedisConnection)
}
