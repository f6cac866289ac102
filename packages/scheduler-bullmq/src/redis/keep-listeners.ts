import { type Queue, RedisConnection, type Worker } from 'bullmq'

/**
 * Keeps the listeners of a queue's or a worker's connections when BullMQ closes these connections. If Redis has not
 * answered the first command of a connection by then, the command fails after the close, and BullMQ 5.81 emits `error` on
 * the connection. Without a listener, this event ends the process.
 */
export function keepListeners(part: Queue | Worker): void {
  for (const connection of Object.values(part)) {
    if (connection instanceof RedisConnection) connection.removeAllListeners = () => connection
  }
}
