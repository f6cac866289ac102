import { setTimeout as delay } from 'node:timers/promises'
import type { Runtime } from '../../processes/runtimes.ts'
import type { Figures } from '../server/own-figures.ts'
import type { Attack } from './attack.ts'
import { connectionsTo } from './connections.ts'
import type { HonestFigures } from './honest-client.ts'
import { observedClient } from './observed-client.ts'
import { startServer } from './started-server.ts'

/** What an attack has done to the server and to an honest client. */
export interface Outcome {
  /** How many millions of bytes the peak of the resident memory was above the memory before the attack. */
  readonly raisedMb: number
  /** How many millions of bytes of new memory the kernel gave the server during the attack. */
  readonly newMemoryMb: number
  /** How many millions of bytes the server wrote to files and sockets during the attack. */
  readonly writtenMb: number
  /** The figures of the server since the attack began. */
  readonly figures: Figures
  /** What the honest client saw before the attack, and during it. */
  readonly before: HonestFigures
  readonly during: HonestFigures
}

/**
 * How long the server is used before the attack, in milliseconds: until its code is compiled and its memory
 * is stable.
 */
const warmUpMs = 250
const quietMs = 200
export const defaultMs = 1000
/**
 * The shortest time for which the honest client is watched, in milliseconds, also when the attack ends at
 * once.
 */
const leastMs = 500
/** If a server has not reported its figures after this time, in milliseconds, its event loop counts as blocked. */
const patienceMs = 5000

/**
 * Runs the attack against a new server, while an honest client uses this server before and during the attack.
 */
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
      newMemoryMb: figures.newMemoryMb - start.newMemoryMb,
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
  // If the time is over first, the process is killed and its answer is not awaited any more.
  asked.catch(() => {})
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const message = `The server has not answered for ${patienceMs} ms: its event loop is blocked`
  const timer = setTimeout(() => reject(new Error(message)), patienceMs)
  return Promise.race([asked, tooLong]).finally(() => clearTimeout(timer))
}
