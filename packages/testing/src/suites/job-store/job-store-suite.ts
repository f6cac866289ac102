import type { JobStore } from '@genmount/core'
import { suiteOf, type Subject, type Suite } from '../suite.ts'
import { capacityCases } from './capacity-cases.ts'
import { idempotencyCases } from './idempotency-cases.ts'
import { recordCases } from './record-cases.ts'
import { replaceCases } from './replace-cases.ts'
import { sweepCases } from './sweep-cases.ts'

/** An empty store with room for at least 1,000 jobs. */
export interface JobStoreSubject extends Subject {
  readonly store: JobStore
}

export interface JobStoreSuiteOptions {
  /** For a store that is bounded: an empty one with room for exactly so many small jobs. Adds the cases of a full store. */
  readonly createWithRoomFor?: (jobs: number) => JobStoreSubject | Promise<JobStoreSubject>
}

/**
 * What every `JobStore` promises.
 * @example
 * const suite = jobStoreSuite(() => ({ store: memoryBackend().jobs }))
 * for (const [name, run] of Object.entries(suite)) test(name, run)
 */
export function jobStoreSuite(
  create: () => JobStoreSubject | Promise<JobStoreSubject>,
  { createWithRoomFor }: JobStoreSuiteOptions = {},
): Suite {
  return {
    ...suiteOf(create, { ...recordCases, ...idempotencyCases, ...replaceCases, ...sweepCases }),
    ...(createWithRoomFor && suiteOf(() => createWithRoomFor(3), capacityCases)),
  }
}
