import { setTimeout as delay } from 'node:timers/promises'
import type { Runtime } from '../../runtimes.ts'
import type { Figures } from '../server/own-figures.ts'
import type { Attack } from './attack.ts'
import { connectionsTo } from './connections.ts'
import type { HonestFigures } from './honest-client.ts'
import { observedClient } from './observed-client.ts'
import { startServer } from './started-server.ts'

/** What an attack has done to the server and to somebody else. */
export interface Outcome {
  /** By how many millions of bytes the peak of the resident memory was above what the server had before. */
  readonly raisedMb: number
  /** Millions of bytes that the server wrote meanwhile, to files and sockets. */
  readonly writtenMb: number
  /** Of the server, since the attack began. */
  readonly figures: Figures
  /** What the honest client saw before, and while it went on. */
  readonly before: HonestFigures
  readonly during: HonestFigures
}

/** Long enough that code is compiled and memory has its usual size. */
const warmUpMs = 250
const quietMs = 200
export const defaultMs = 1000
/** For as long as this the honest client is watched, should the attack be refused at once. */
const leastMs = 500
/** A server that has not said by then how it is has its loop blocked. */
const patienceMs = 5000

/** Runs the attack against a server of its own, with somebody else who uses the server before and meanwhile. */
export async function runAttack(runtime: Runtime, attack: Attack): Promise<Outcome> {
  const server = await startServer(runtime, attack.settings)
  const connections = connectionsTo(server.port)
  const client = observedClient(server.port)
  try {
    await delay(warmUpMs)
    await client.report()
    await delay(quietMs)
    const before = await client.report()
    const start = await inTime(server.reset())

    const time = new AbortController()
    const over = delay(attack.forMs ?? defaultMs).then(() => time.abort())
    const target = { connections, over, isOver: () => time.signal.aborted }
    await Promise.all([attack.run(target), delay(leastMs)])
    const during = await client.report()
    connections.closeAll()
    const figures = await inTime(server.figures())
    return {
      raisedMb: figures.peakRssMb - start.rssMb,
      writtenMb: figures.writtenMb - start.writtenMb,
      figures,
      before,
      during,
    }
  } finally {
    connections.closeAll()
    await client.stop()
    await server.kill()
  }
}

async function inTime(asked: Promise<Figures>): Promise<Figures> {
  // Should the time be over first, the process is killed, and nobody waits for its answer.
  asked.catch(() => {})
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const message = `The server has not answered for ${patienceMs} ms: its event loop is blocked`
  const timer = setTimeout(() => reject(new Error(message)), patienceMs)
  return Promise.race([asked, tooLong]).finally(() => clearTimeout(timer))
}
