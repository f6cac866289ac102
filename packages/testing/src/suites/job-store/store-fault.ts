import type { JobStore } from '@genmount/core'
import { failingCases } from '../suite.ts'
import { jobStoreSuite } from './job-store-suite.ts'
import { type Records, referenceStore } from './reference-store.ts'

/** A mistake that a store may make. */
export interface StoreFault {
  /** Returns the broken methods that replace those of the reference store. */
  readonly damage: (store: JobStore, records: Records) => Partial<JobStore>
  /** The names of the cases that must fail. */
  readonly fails: readonly string[]
}

/**
 * Runs the suite on a reference store with this mistake. @returns the names of the cases that fail, in order
 */
export function casesThatCatch({ damage }: StoreFault): Promise<string[]> {
  return failingCases(
    jobStoreSuite(() => {
      const records: Records = new Map()
      const store = referenceStore(records)
      return { store: { ...store, ...damage(store, records) } }
    }),
  )
}
