import type { JobSignals } from '@genmount/core'
import type { Subject } from '../suite.ts'

/** The functions that the cases use. Signals without `news` need not keep the promises about news. */
export interface SignalsHands extends Subject, Pick<JobSignals, 'publish' | 'subscribe' | 'news'> {
  /**
   * Resolves when the condition is true. Rejects when it is still false after the time that a signal may
   * take.
   */
  woken(isWoken: () => boolean): Promise<void>
}

/** The cases of the suite by their titles. */
export type SignalsCases = Readonly<Record<string, (hands: SignalsHands) => Promise<void>>>
