import type { JobStore } from '@genmount/core'
import { suiteOf, type Subject, type Suite } from '../suite.ts'
import { auditCases } from './audit-cases.ts'
import { budgetCases } from './budget-cases.ts'
import { capacityCases } from './capacity-cases.ts'
import { idempotencyCases } from './idempotency-cases.ts'
import { instantCases } from './instant-cases.ts'
import { ledgerCases } from './ledger-cases.ts'
import { limitCases } from './limit-cases.ts'
import { listCases } from './list-cases.ts'
import { operatorCases } from './operator-cases.ts'
import { recordCases } from './record-cases.ts'
import { replaceCases } from './replace-cases.ts'
import { severalBudgetsCases } from './several-budgets-cases.ts'
import { sweepCases } from './sweep-cases.ts'
import { usageCases } from './usage-cases.ts'

/** The subject of `jobStoreSuite`: an empty store with room for at least 1,000 jobs. */
export interface JobStoreSubject extends Subject {
  /** The store that is tested. */
  readonly store: JobStore
}

/** The options of `jobStoreSuite`. */
export interface JobStoreSuiteOptions {
  /**
   * For a store with a limit: makes an empty store with room for exactly this many small jobs. It adds the
   * cases about a full store. @default these cases are left out
   */
  readonly createWithRoomFor?: (jobs: number) => JobStoreSubject | Promise<JobStoreSubject>
}

/**
 * The promises of every `JobStore`, as cases.
 * @param create makes an empty store. Each case calls it once.
 * @example
 * const suite = jobStoreSuite(() => ({ store: memoryBackend().jobs }))
 * for (const [name, run] of Object.entries(suite)) test(name, run)
 */
export function jobStoreSuite(
  create: () => JobStoreSubject | Promise<JobStoreSubject>,
  { createWithRoomFor }: JobStoreSuiteOptions = {},
): Suite {
  return {
    ...suiteOf(create, {
      ...recordCases,
      ...instantCases,
      ...idempotencyCases,
      ...replaceCases,
      ...sweepCases,
      ...ledgerCases,
      ...listCases,
      ...limitCases,
      ...budgetCases,
      ...severalBudgetsCases,
      ...usageCases,
      ...operatorCases,
      ...auditCases,
    }),
    ...(createWithRoomFor && suiteOf(() => createWithRoomFor(3), capacityCases)),
  }
}
