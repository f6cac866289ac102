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

/** The part of the time for closing that is kept for the providers and stores themselves. */
const closingPart = 0.2
const leastClosingMs = 100
const maxNamed = 20

/** What is closed. */
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
 * Answers those who wait, lets work under way end, and closes all parts of the service, within `timeoutMs` or a little
 * more. Never rejects: what could not be closed in time is left, and told to the log.
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
  // The clock's timers do not keep the process alive, and what is paid for would be lost with it.
  const letProcessEnd = keepProcessAlive()
  const endsAt = clock.uptime() + timeoutMs
  const leftMs = () => Math.max(leastClosingMs, endsAt - clock.uptime())

  async function inTime(what: string, end: () => Promise<void> | undefined): Promise<void> {
    await withinLimit(clock, leftMs(), what, end).catch((error: unknown) =>
      log.error(`The ${what} could not be closed.`, error),
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
    // Steps that hold something which could not be written put it into the log now.
    givingUp.end()
    await withinLimit(clock, leftMs() / 2, 'work under way', advancer.settled).catch(() => {})
  })
  await stopped
  // A part that can't close must not keep the others open.
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
