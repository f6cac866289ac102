import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Log } from '../contracts/log.ts'
import type { Provider } from '../contracts/provider.ts'
import type { Scheduler } from '../contracts/scheduler.ts'
import { keepProcessAlive } from '../defaults/keep-process-alive.ts'
import type { OwnEnding } from '../pacing/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { WaitingRoom } from '../sharing/waiting-room.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'
import type { JobAcceptor } from './job-acceptor.ts'

/** The part of `timeoutMs` that is reserved for closing providers and stores. */
const closingPart = 0.2
/** How long closing a provider or store may take in any case, in milliseconds. */
const leastClosingMs = 100
/** How many jobs the log names. */
const maxNamed = 20

/** The parts of a service that are closed. */
export interface CloseContext {
  readonly clock: Clock
  readonly log: Log
  readonly closing: OwnEnding
  readonly givingUp: OwnEnding
  readonly waitingRooms: readonly WaitingRoom[]
  readonly stopSweep: () => Promise<void> | undefined
  readonly acceptor: JobAcceptor
  readonly advancer: JobAdvancer
  readonly scheduler: Scheduler
  readonly providers: readonly Provider[]
  readonly files: FileStore
  readonly spool: FileStore | undefined
  readonly backend: Backend
}

/**
 * Answers all waiting requests, waits for the work under way, and closes all parts of the service. Takes at most
 * `timeoutMs` milliseconds, or a little more. Never rejects: a part that could not be closed in time is left as it is,
 * and the log says so.
 */
export async function closeService(context: CloseContext, timeoutMs: number): Promise<void> {
  const {
    clock,
    log,
    closing,
    givingUp,
    waitingRooms,
    stopSweep,
    acceptor,
    advancer,
    scheduler,
    files,
    spool,
    backend,
  } = context
  // The timers of the clock do not keep the process alive. If it ended now, outputs that are paid for would be lost.
  const letProcessEnd = keepProcessAlive()
  const endsAt = clock.uptime() + timeoutMs
  const leftMs = () => Math.max(leastClosingMs, endsAt - clock.uptime())

  async function inTime(what: string, end: () => Promise<void> | undefined): Promise<void> {
    await withinLimit(clock, leftMs(), what, end).catch((error: unknown) =>
      log.error(`The ${what} could not be closed.`, { cause: error }),
    )
  }

  closing.end()
  for (const room of waitingRooms) room.close()
  const stopped = inTime('scheduler', () => scheduler.stop())
  await withinLimit(clock, (1 - closingPart) * timeoutMs, 'work under way', async () => {
    await stopSweep()
    await acceptor.settled()
    await advancer.settled()
  }).catch(async () => {
    log.error(`The service closes with steps under way on ${namesOf(advancer.underWay())}.`)
    // Steps whose outcome could not be written stop trying and write it to the log.
    givingUp.end()
    await withinLimit(clock, leftMs() / 2, 'work under way', advancer.settled).catch(() => {})
  })
  await stopped
  // If closing one part fails, the others are closed nevertheless.
  await Promise.all(
    context.providers.map((provider) => inTime(`provider ${provider.name}`, () => provider.close?.())),
  )
  await inTime('file store', () => files.close?.())
  await inTime('spool', () => spool?.close?.())
  await inTime('backend', () => backend.close())
  letProcessEnd()
}

function namesOf(jobIds: readonly string[]): string {
  const more = jobIds.length > maxNamed ? ` and ${jobIds.length - maxNamed} others` : ''
  return jobIds.length === 0 ? 'no job' : `${jobIds.slice(0, maxNamed).join(', ')}${more}`
}
