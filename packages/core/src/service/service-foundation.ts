import { schedulerFor } from '../defaults/timer-scheduler.ts'
import { systemClock } from '../defaults/system-clock.ts'
import { clockSteps, clockTeller } from '../clock/clock-steps.ts'
import { deletionPauses } from '../retention/retention.ts'
import { wholeClock } from '../job/instants.ts'
import { ending } from '../pacing/ending.ts'
import { tellOnceAMinute } from '../pacing/once-a-minute.ts'
import { modelCatalogue } from '../routing/model-catalogue.ts'
import { boundedProcesses } from '../job-store/bounded-store.ts'
import { logFace, unfailingLog } from './log-face.ts'
import type { CheckedServiceOptions } from './service-options.ts'
import type { Backend } from '../contracts/storage/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { storeUnavailable } from '../errors/generation-error.ts'
import type { Ending } from '../contracts/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** What everything in a service stands on: the parts that the app has passed or the defaults, its clock, and its endings. */
export type ServiceFoundation = ReturnType<typeof serviceFoundation>

/** What a service uses whose app names no stores. */
export interface DefaultStores {
  backend(clock: Clock): Backend
  files(): FileStore
}

/** Makes the foundation of a service. @throws TypeError when there is no model, or when two models have the same id */
export function serviceFoundation(options: CheckedServiceOptions, defaults: DefaultStores) {
  const sharedClock = options.clock ? undefined : options.backend?.clock
  const clock = wholeClock(options.clock ?? sharedClock ?? systemClock())
  const log = unfailingLog(tellOnceAMinute(logFace(options.log ?? console), clock))
  const backend = options.backend ?? defaults.backend(clock)
  const steps = clockSteps(clock, clockTeller(log, clock))
  /** Ends when the service stops waiting for the job store. */
  const closedStore = ending()
  return {
    clock,
    clockSteps: steps,
    sureNow: steps.sureNow,
    pauses: deletionPauses(clock),
    /** Waits until the clock can be relied on. */
    clockIsRight: sharedClock ? agreedTime(backend, clock, closedStore) : () => undefined,
    log,
    backend,
    scheduler:
      options.clock && backend.clock
        ? schedulerFor(clock, backend.scheduler, backend.clock)
        : backend.scheduler,
    signals: backend.signals,
    processes: backend.processes && boundedProcesses(backend.processes, clock, closedStore),
    files: options.files ?? defaults.files(),
    spool: options.spool,
    ...modelCatalogue(options.providers, options.aliases, clock, log),
    /** Ends when the service closes. */
    closing: ending(),
    /** Ends when the service is closing and can no longer wait for what is under way. */
    givingUp: ending(),
    closedStore,
  }
}

/** How long a create waits for the backend to be ready, in milliseconds. The backend continues to open after that. */
const limitMs = 900

/**
 * Makes the function that waits until the clock of a backend is right, which is when the backend has been ready once.
 * Jobs that are created earlier would have the instants of this machine.
 * @param closed when this ends, all waiting ends
 * @returns a function that rejects with a GenerationError `store_unavailable` if the backend is not ready in time
 */
function agreedTime(backend: Backend, clock: Clock, closed: Ending): () => Promise<void> | undefined {
  let isRight = false
  return () => {
    if (isRight) return undefined
    return withinLimit(clock, limitMs, 'backend', () => backend.ready?.(), closed).then(
      () => void (isRight = true),
      (cause: unknown) => {
        throw storeUnavailable(cause)
      },
    )
  }
}
