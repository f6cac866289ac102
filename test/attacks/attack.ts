import type { AttackedSettings } from './server/attacked-server.ts'
import type { Runtime } from '../processes/runtimes.ts'
import type { Connection, Connections } from './connections.ts'

/** The server that is attacked, and what an attack needs to know. */
export interface Target {
  readonly open: Connections['open']
  /** Resolves when the time for the attack is over. */
  readonly over: Promise<void>
  isOver(): boolean
  /** Works on each of `count` connections at the same time. Resolves when all of the work is done or the time is over. */
  onEach(count: number, work: (connection: Connection, line: number) => Promise<unknown>): Promise<void>
}

/** One way in which a client can take more than its share. */
export interface Attack {
  /**
   * How many millions of bytes of memory the attack may cost the server at most, in addition to the 100 that
   * any load may take. A comment beside the number gives the reason.
   */
  readonly budgetMb: number
  /** How many millions of bytes the server may write to files and sockets. @default 100 */
  readonly writesMb?: number
  /**
   * Runtimes whose own HTTP server blocks its event loop under this attack, with any app behind it, each with how that
   * was found out. On these only the memory is checked, and not the times of the honest client.
   */
  readonly blockedBy?: Partial<Record<Runtime, string>>
  /** For how many milliseconds the HTTP server of a runtime does so, where that is a short time. @default 0 */
  readonly runtimeDelayMs?: Partial<Record<Runtime, number>>
  readonly settings?: Omit<AttackedSettings, 'folder'>
  /** How long the attack lasts at most, in milliseconds. @default 1000 */
  readonly forMs?: number
  /** Attacks. It is no failure when the server refuses requests or closes connections. */
  run(target: Target): Promise<void>
}
