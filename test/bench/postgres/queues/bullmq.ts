import { createRequire } from 'node:module'
import { atATime, type OpenQueue, work } from './queue.ts'

interface BullMq {
  readonly Queue: new (
    name: string,
    options: object,
  ) => { add(name: string, data: object): Promise<unknown>; close(): Promise<unknown> }
  readonly Worker: new (
    name: string,
    handler: () => Promise<unknown>,
    options: object,
  ) => { waitUntilReady(): Promise<unknown>; close(force: boolean): Promise<unknown> }
}

/** BullMQ on Redis with its defaults, but for the number of jobs that it works on at a time. */
export const open: OpenQueue = async (url, onEnd) => {
  // It is a dependency of the scheduler.
  const scheduler = new URL('../../../../packages/scheduler-bullmq/package.json', import.meta.url)
  const { Queue, Worker } = createRequire(scheduler)('bullmq') as BullMq
  const connection = { port: Number(new URL(url).port) }
  const queue = new Queue('lives', { connection })
  const worker = new Worker('lives', () => work(onEnd), { connection, concurrency: atATime })
  await worker.waitUntilReady()
  return {
    create: (input) => queue.add('life', input),
    async stop() {
      await worker.close(true)
      await queue.close()
    },
  }
}
