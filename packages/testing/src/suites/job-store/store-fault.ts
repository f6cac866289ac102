import type { JobStore } from '@genmount/core'
import { failingCases } from '../suite.ts'
import { jobStoreSuite } from './job-store-suite.ts'
import { type Records, referenceStore } from './reference-store.ts'

/** What a store may get wrong. */
export interface StoreFault {
  /** Replaces methods of the reference by broken ones. */
  readonly damage: (store: JobStore, records: Records) => Partial<JobStore>
  /** The cases that name the fault. */
  readonly fails: readonly string[]
}

/** The cases of the suite that a reference store with the fault fails, in order. */
export function casesThatCatch({ damage }: StoreFault): Promise<string[]> {
  return failingCases(
    jobStoreSuite(() => {
      const records: Records = new Map()
      const store = referenceStore(records)
      return { store: { ...store, ...damage(store, records) } }
    }),
  )
}
