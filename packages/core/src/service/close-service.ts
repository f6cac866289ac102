import type { ServiceParts } from '../contracts/service-parts.ts'
import type { Backend } from '../contracts/storage/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { keepProcessAlive } from '../defaults/system-clock.ts'
import type { OwnEnding } from '../pacing/ending.ts'
import { withinLimit, upTo } from '../pacing/within-limit.ts'
import type { WaitingRoom } from '../sharing/waiting-room.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'
import type { SubmitsUnderWay, Stake } from '../turns/submits-under-way.ts'
import type { CloseResult } from './generation-service.ts'
import type { JobAcceptor } from '../requests/job-acceptor.ts'
import type { AttachedPlugin } from '../plugins/attached-plugins.ts'

/** How long closing may take without `timeoutMs` when all submits have been answered, in milliseconds. */
const restMs = 90_000
/**
 * The part of `timeoutMs` that is reserved for closing the parts, in case the work under way does not end by itself.
 */
const closingPart = 0.2
/** The least time that closing a provider or store may take, in milliseconds. */
const leastClosingMs = 100
/** How many jobs the log line names. */
const maxNamed = 20

/** The parts of a service that are closed. */
interface CloseContext extends Pick<
  ServiceParts,
  'clock' | 'files' | 'log' | 'providers' | 'scheduler' | 'spool'
> {
  readonly closing: OwnEnding
  readonly givingUp: OwnEnding
  /** Ends when the service stops waiting for the job store. */
  readonly closedStore: OwnEnding
  readonly waitingRooms: readonly WaitingRoom[]
  readonly stopSweep: () => Promise<void> | undefined
  readonly acceptor: JobAcceptor
  readonly submits: SubmitsUnderWay
  readonly advancer: JobAdvancer
  readonly plugins: readonly AttachedPlugin[]
  readonly backend: Backend
}

/**
 * Answers all waiting requests, waits for the work under way, and closes all parts of the service. Takes at most
 * `timeoutMs` milliseconds and 700 more; without `timeoutMs`, as long as providers take to answer submits, and at most
 * 90 seconds more. Never rejects: a part that could not be closed in time is left as it is, and the log and the result
 * say so.
 */
export async function closeService(context: CloseContext, timeoutMs?: number): Promise<CloseResult> {
  const { clock, log, closing, closedStore, waitingRooms, providers, plugins, files, spool, backend } =
    context
  // The timers of the clock do not keep the process alive. If the process ended now, outputs that are paid for would be
  // lost.
  const letProcessEnd = keepProcessAlive()
  const closingMs = closingPart * (timeoutMs ?? restMs)
  let endsAt = clock.uptime() + (timeoutMs ?? restMs)
  const leftMs = () => Math.max(leastClosingMs, endsAt - clock.uptime())
  const unclosed: string[] = []

  /** @returns when the part is closed or its time is up. If closing one part fails, the others are still closed. */
  async function closePart(
    what: string,
    close: () => Promise<void> | undefined,
    limitMs = leftMs(),
  ): Promise<void> {
    await withinLimit(clock, limitMs, what, close).catch((error: unknown) => {
      unclosed.push(what)
      log.error(`The ${what} could not be closed.`, { cause: error })
    })
  }

  closing.end()
  for (const room of waitingRooms) room.close()
  const schedulerStopped = closePart('scheduler', () => context.scheduler.stop(), leftMs() - closingMs)
  // Not called at once, because the app may close the service while the sweep is being started.
  const sweepStopped = Promise.resolve().then(context.stopSweep)
  await awaitSubmits(context, timeoutMs === undefined ? Infinity : leftMs() - closingMs)
  if (timeoutMs === undefined) endsAt = clock.uptime() + restMs
  const leftJobs = await endWork(context, sweepStopped, Math.max(0, leftMs() - closingMs), leftMs)
  await schedulerStopped
  await Promise.all([
    ...plugins.map(({ name, hooks }) => closePart(`plugin ${name}`, () => hooks.close?.())),
    ...providers.map((provider) => closePart(`provider ${provider.name}`, () => provider.close?.())),
    closePart('file store', () => files.close?.()),
    closePart('spool', () => spool?.close?.()),
    closePart('signals', () => backend.signals.close?.()),
  ])
  await closePart('backend', () => backend.close())
  closedStore.end()
  letProcessEnd()
  return { leftJobs, unclosed }
}

/**
 * Waits for the work under way for `workMs` milliseconds, and then cuts it short.
 * @returns the ids of the jobs on which a step was cut short
 */
async function endWork(
  { clock, log, givingUp, closedStore, acceptor, advancer }: CloseContext,
  sweepStopped: Promise<void>,
  workMs: number,
  leftMs: () => number,
): Promise<readonly string[]> {
  const within = async (limitMs: number, end: () => Promise<void>) =>
    withinLimit(clock, limitMs, 'work under way', end).then(
      () => true,
      () => false,
    )
  const hasEnded = await within(workMs, async () => {
    await sweepStopped
    await acceptor.settled()
    await advancer.settled()
  })
  if (hasEnded) return []
  const leftJobs = advancer.underWay()
  log.error(`The service closes with steps under way on ${namesOf(leftJobs)}.`)
  // From here, submits and calls to the file store end, and their jobs are stored as they are.
  givingUp.end()
  if (await within(leftMs() / 2, advancer.settled)) return leftJobs
  // From here, steps whose outcome the job store has not stored write it to the log.
  closedStore.end()
  await within(0, advancer.settled)
  return leftJobs
}

function namesOf(jobIds: readonly string[]): string {
  const more = jobIds.length > maxNamed ? ` and ${jobIds.length - maxNamed} others` : ''
  return jobIds.length === 0 ? 'no job' : `${jobIds.slice(0, maxNamed).join(', ')}${more}`
}

/** How often the log says what is at stake, in milliseconds. */
const tellEveryMs = 1000

/**
 * Waits for the answers to all submits under way, because each of them may have to be paid for. Each second, the log says
 * how many there are and what they cost. Each submit ends by itself when its provider's `callTimeoutMs` has passed.
 * @param limitMs how long to wait at most, in milliseconds
 */
async function awaitSubmits(
  { clock, log, submits }: { readonly clock: Clock; readonly log: Log; readonly submits: SubmitsUnderWay },
  limitMs: number,
): Promise<void> {
  const endsAt = clock.uptime() + limitMs
  for (;;) {
    const stake = submits.stake()
    const leftMs = endsAt - clock.uptime()
    if (stake.submits === 0 || leftMs <= 0) return
    const longestMs = Math.min(stake.longestMs, leftMs)
    log.warn(
      `The service is closing and waits for the answers to ${stake.submits} submits, ${priceOf(stake)}, for at most ${Math.ceil(Math.max(0, longestMs) / 1000)} s more.`,
    )
    await upTo(clock, Math.min(tellEveryMs, leftMs), submits.settled())
  }
}

function priceOf({ submits, usd, unpriced }: Stake): string {
  if (unpriced === submits) return 'whose price is not known'
  const costWords = `which cost ${rounded(usd)} USD`
  return unpriced === 0 ? costWords : `${costWords} without the ${unpriced} whose price is not known`
}

/** Sums of US dollars are not exact. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}
