import { type Clock, systemClock } from '@genmount/core'
import { createLimitMs } from '../packages/core/src/job-store/bounded-store.ts'

const limits = Object.values(createLimitMs)

/**
 * The clock of the system for a service that refuses no create because its store is late. On a busy machine a create may
 * take longer than the 0.9 seconds that it has; with this clock it has a minute.
 */
export function patientClock(): Clock {
  const system = systemClock()
  return {
    ...system,
    after: (delayMs, run) => system.after(limits.includes(delayMs) ? 60_000 : delayMs, run),
  }
}
