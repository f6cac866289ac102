import { peerModule } from '../../installed-peers.ts'
import { atATime, type OpenQueue, work } from './queue.ts'

interface PgBoss {
  on(event: 'error', listener: (error: Error) => void): void
  start(): Promise<unknown>
  createQueue(name: string): Promise<unknown>
  send(name: string, data: object): Promise<unknown>
  work(
    name: string,
    options: object,
    handler: (jobs: readonly unknown[]) => Promise<unknown>,
  ): Promise<unknown>
  stop(options: object): Promise<unknown>
}

/** pg-boss as its documentation has it for many jobs: batches, and the shortest pause between two looks for jobs. */
export const open: OpenQueue = async (url, onEnd) => {
  const { PgBoss } = peerModule('pg-boss') as { PgBoss: new (options: object) => PgBoss }
  const boss = new PgBoss({ connectionString: url, max: 10 })
  boss.on('error', console.error)
  await boss.start()
  await boss.createQueue('lives')
  const options = { batchSize: 50, localConcurrency: atATime / 50, pollingIntervalSeconds: 0.5 }
  await boss.work('lives', options, (jobs) => Promise.all(jobs.map(() => work(onEnd))))
  return { create: (input) => boss.send('lives', input), stop: () => boss.stop({ graceful: false }) }
}
