import { peerModule } from '../../installed-peers.ts'
import { atATime, type OpenQueue, work } from './queue.ts'

interface GraphileWorker {
  run(options: object): Promise<{
    addJob(name: string, payload: object): Promise<unknown>
    stop(): Promise<unknown>
  }>
  readonly Logger: new (factory: () => () => void) => object
}

/** graphile-worker with its defaults, but for the number of jobs that it works on at a time. */
export const open: OpenQueue = async (url, onEnd) => {
  const { run, Logger } = peerModule('graphile-worker') as GraphileWorker
  const runner = await run({
    connectionString: url,
    concurrency: atATime,
    maxPoolSize: 10,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { lives: () => work(onEnd) },
  })
  return { create: (input) => runner.addJob('lives', input), stop: () => runner.stop() }
}
