import type { AttackedSettings } from '../server/attacked-service.ts'
import type { Runtime } from '../../runtimes.ts'
import type { Connections } from './connections.ts'

/** What an attack has to work with. */
export interface Target {
  readonly connections: Connections
  /** Resolves when the time of the attack is over. */
  readonly over: Promise<void>
  isOver(): boolean
}

/** One way to take more than one's share. */
export interface Attack {
  /**
   * How many millions of bytes the server may need for it at the most, beside the 100 that any load may take.
   * The reason stands beside the number.
   */
  readonly budgetMb: number
  /** How many millions of bytes the server may write, to files and sockets. @default 100 */
  readonly writesMb?: number
  /**
   * Runtimes whose own HTTP server blocks its event loop under this attack, whatever app is behind it, and how that was seen.
   * There the memory is held, and no time.
   */
  readonly blockedBy?: Partial<Record<Runtime, string>>
  /** How the attacked server is set up, where it matters. */
  readonly settings?: Omit<AttackedSettings, 'folder'>
  /** How long it goes on at the most. @default 1000 */
  readonly forMs?: number
  /** Attacks until it is done or the time is over. What the server refuses, and connections that it cuts, are no failure. */
  run(target: Target): Promise<void>
}
