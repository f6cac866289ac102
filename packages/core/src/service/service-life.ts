import type { ServiceParts } from '../contracts/service-parts.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { closeService } from './close-service.ts'
import type { CloseOptions, CloseResult } from './generation-service.ts'
import type { ServiceEngine } from './service-engine.ts'
import type { ServiceFoundation } from './service-foundation.ts'
import { checkCloseOptions } from './service-options.ts'
import { startSweep } from './start-sweep.ts'
import type { Backend } from '../contracts/storage/backend.ts'
import type { Provider } from '../contracts/provider.ts'
import { keepProcessAlive } from '../defaults/system-clock.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { AttachedPlugin } from '../plugins/attached-plugins.ts'
import { shortText } from '../text/short-text.ts'

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
  const { backend, scheduler, log } = foundation
  const { advancer, plugins } = engine
  let hasStarted = false
  let stopSweep: (() => Promise<void>) | undefined
  let unfollowModels = () => {}
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
    unfollowModels = foundation.followModels()
    if (!plugins.sweepsOnCall) stopSweep = startSweep(engine.sweep)
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
          stopSweep() {
            unfollowModels()
            return stopSweep?.()
          },
        },
        timeoutMs,
      ))
    },
  }
}

/** How long the check of one part may take, in milliseconds. A worker that starts in a busy container takes seconds. */
const limitMs = 30_000

/** The parts of a service that are checked. */
interface ReadyContext extends Pick<ServiceParts, 'clock' | 'closing' | 'files' | 'providers' | 'spool'> {
  readonly plugins: readonly AttachedPlugin[]
  readonly backend: Backend
}

/**
 * Checks whether all parts of the service are ready.
 * @throws Error with one line for each part that is not ready. Its cause is the part's own error; an AggregateError if
 * several parts are not ready
 */
export async function checkReady(context: ReadyContext): Promise<void> {
  const { clock, closing, plugins, backend, files, spool, providers } = context
  const parts: [what: string, part: { readonly ready?: (() => Promise<void>) | undefined } | undefined][] = [
    ['backend', backend],
    ['file store', files],
    ['spool', spool],
    ...plugins.map(({ name, hooks }): [string, typeof hooks] => [`plugin ${name}`, hooks]),
    ...providers.map((provider): [string, Provider] => [`provider ${provider.name}`, provider]),
  ]
  const letProcessEnd = keepProcessAlive()
  const outcomes = await Promise.allSettled(
    parts.map(([what, part]) => withinLimit(clock, limitMs, what, () => part?.ready?.(), closing)),
  )
  letProcessEnd()
  const faults: unknown[] = []
  const lines: string[] = []
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    faults.push(outcome.reason)
    lines.push(`The ${parts[index]?.[0]} is not ready: ${shortText(outcome.reason)}`)
  }
  if (faults.length === 0) return
  const cause = faults.length === 1 ? faults[0] : new AggregateError(faults)
  throw new Error(lines.join('\n'), { cause })
}
