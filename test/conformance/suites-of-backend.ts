import type { Backend, Clock } from '@genmount/core'
import {
  backendSuite,
  jobSignalsSuite,
  jobStoreSuite,
  manualClock,
  schedulerSuite,
  type Suite,
} from '@genmount/testing'

/**
 * The suites that each backend passes whose `jobs`, `scheduler` and `signals` are in one database.
 * @param create makes a backend on an empty database
 * @param unusable makes one that can't be used
 */
export function suitesOfBackend(
  create: (clock?: Clock) => Backend | Promise<Backend>,
  unusable: () => Backend | Promise<Backend>,
): Readonly<Record<string, Suite>> {
  return {
    backend: backendSuite(async () => ({ backend: await create(), unusable })),
    jobs: jobStoreSuite(async () => {
      const { jobs, close } = await create()
      return { store: jobs, close }
    }),
    wakes: schedulerSuite(async () => {
      const clock = manualClock()
      const { scheduler, close } = await create(clock)
      return { scheduler, clock, close }
    }),
    signals: jobSignalsSuite(async () => {
      const { signals, close } = await create()
      return { signals, close }
    }),
  }
}
