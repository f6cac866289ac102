import { GenerationError } from '../errors/generation-error.ts'
import { closeService } from './close-service.ts'
import type { CloseOptions, CloseResult } from './generation-service.ts'
import type { ServiceEngine } from './service-engine.ts'
import type { ServiceFoundation } from './service-foundation.ts'
import { checkCloseOptions } from './service-options.ts'
import { startSweep } from './start-sweep.ts'

/** The start and the end of a service. */
export interface ServiceLife {
  /** See `GenerationService.start`. */
  start(): void
  /** Starts the service unless it has been closed: what reads jobs works until the job store is closed. */
  startUnlessClosed(): void
  readonly isClosed: () => boolean
  /** @throws GenerationError `shutting_down` after `close` */
  refuseClosed(): void
  /** See `GenerationService.close`. */
  close(options: CloseOptions | undefined): Promise<CloseResult>
}

/** Makes the life of a service, which has not started yet. */
export function serviceLife(foundation: ServiceFoundation, engine: ServiceEngine): ServiceLife {
  const { backend, clockSteps, scheduler, log } = foundation
  const { advancer, plugins } = engine
  let hasStarted = false
  let stopSweep: (() => Promise<void>) | undefined
  let closed: Promise<CloseResult> | undefined

  function refuseClosed(): void {
    if (closed) throw new GenerationError('shutting_down', 'The service is shutting down.')
  }

  function start(): void {
    refuseClosed()
    if (hasStarted) return
    hasStarted = true
    if (!backend.durable) log.warn('genmount keeps jobs in memory: they are lost when this process ends.')
    plugins.started()
    scheduler.start((jobId) => void advancer.advance(jobId))
    // The app's own log or scheduler may have closed the service during these calls.
    if (closed) return
    stopSweep = startSweep({
      ...foundation,
      ...advancer,
      jobs: engine.jobs,
      look: clockSteps.look,
      sweeps: plugins.sweeps,
      isShared: backend.durable,
    })
  }

  return {
    start,
    startUnlessClosed() {
      if (!closed) start()
    },
    isClosed: () => closed !== undefined,
    refuseClosed,
    close(options) {
      const { timeoutMs } = checkCloseOptions(options)
      return (closed ??= closeService(
        {
          ...foundation,
          ...engine,
          waitingRooms: [engine.waiters, engine.readers],
          plugins: plugins.attached,
          stopSweep: () => stopSweep?.(),
        },
        timeoutMs,
      ))
    },
  }
}
