import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import { count, duration, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { longestPauseMs } from '../job/job-state.ts'
import { upTo } from '../pacing/within-limit.ts'

/** Bounds one call of `service.advance`. */
export interface AdvanceRequest {
  /**
   * For how many milliseconds to take steps. The call ends then at the latest; steps that are under way go on, and
   * `service.settled()` resolves when they have ended. @default 20,000
   */
  readonly forMs?: number | undefined
  /** The most jobs to take up. @default no limit */
  readonly limit?: number | undefined
}

/** What became of one call of `service.advance`. */
export interface AdvanceResult {
  /** How many steps of jobs this call has taken: submits, polls, copies and deliveries. */
  readonly steps: number
  /**
   * When to call again, in milliseconds since the Unix epoch: the next step is due then. In the past when steps are left that are
   * due. Absent when no stored job has a step left.
   */
  readonly nextAt?: number
}

/** What the plugin `advance` adds to the service. */
export interface AdvanceMethods {
  /**
   * Takes the steps of jobs that are due, deletes what has expired, and does the work of plugins, until nothing is due any more
   * or the time is over. It may be called beside other processes that do the same, and beside itself: the store decides who
   * takes a step.
   * @throws TypeError when the request is wrong; GenerationError `store_unavailable`, or `shutting_down` after `close`
   * @example
   * const { nextAt } = await service.advance({ forMs: 20_000 })
   * if (nextAt !== undefined) await storage.setAlarm(nextAt)
   */
  advance(request?: AdvanceRequest): Promise<AdvanceResult>
}

type Bounds = Required<{ readonly [Name in keyof AdvanceRequest]: number }>

const table = {
  forMs: optional(duration(), 20_000),
  limit: optional(count(), Number.POSITIVE_INFINITY),
} satisfies OptionTable<AdvanceRequest>

/** @throws TypeError that names the wrong field */
export function checkRequest(request: unknown): Bounds {
  return checkOptions('advance', request, table)
}

/** How many due jobs are read at a time. */
const batchSize = 100
/** How long to wait for the steps of a batch, or for the sweep, before the next batch is read, in milliseconds. */
const batchMs = 1000
/** When to look again at due jobs that can't be advanced now, because their provider is in trouble for example, in milliseconds. */
const laterMs = 5000
/** How many jobs that are claimed are read at most to learn when the next step is due. */
const claimedReads = 10
/** If a sweep asks for the next one within this many milliseconds, it has not found the end of the expired jobs. */
const muchLeftMs = 100

/**
 * Takes the steps that are due, as `AdvanceMethods.advance` says.
 * @param sweepOnce looks for all else, and returns after how many milliseconds to look again at the earliest
 * @param unmoved gets the jobs that are taken up. Whoever writes one of them removes it: a step was taken
 */
export async function advanceDue(
  host: PluginHost,
  { forMs, limit }: Bounds,
  unmoved: Set<string>,
  sweepOnce: () => Promise<number>,
): Promise<AdvanceResult> {
  const { jobs, clock, closing } = host
  const endsAt = clock.uptime() + forMs
  const leftMs = () => endsAt - clock.uptime()
  const underWay = new Map<string, Promise<void>>()
  let taken = 0

  function takeUp(jobId: string): void {
    taken++
    unmoved.add(jobId)
    const step = host.takeUp(jobId).then(() => void underWay.delete(jobId))
    underWay.set(jobId, step)
  }

  let isSweeping = true
  const sweep = sweepUntil(host, endsAt, sweepOnce).then(() => void (isSweeping = false))
  for (let skip = 0; leftMs() > 0 && taken < limit && !closing.hasEnded;) {
    const due = await jobs.due(clock.now(), batchSize, skip)
    // What no write has moved is not taken up again by this call.
    const fresh = due.filter((jobId) => !unmoved.has(jobId) && !underWay.has(jobId)).slice(0, limit - taken)
    for (const jobId of fresh) takeUp(jobId)
    const busy = underWay.size > 0 ? Promise.all(underWay.values()) : isSweeping ? sweep : undefined
    // Meanwhile other jobs become due.
    if (busy) await upTo(clock, Math.min(batchMs, leftMs()), busy)
    else if (due.length < batchSize) break
    // A page of jobs that can't be advanced hides those behind it.
    skip = fresh.length === 0 && due.length === batchSize ? skip + batchSize : 0
  }
  await upTo(clock, Math.max(0, leftMs()), Promise.all([sweep, ...underWay.values()]))
  const idle = new Set([...unmoved].filter((jobId) => !underWay.has(jobId)))
  const nextAt = await nextDueAt(host, idle)
  return { steps: taken - unmoved.size, ...(nextAt !== undefined && { nextAt }) }
}

/** Sweeps again as long as much is found. */
async function sweepUntil(
  { clock, closing }: PluginHost,
  endsAt: number,
  sweepOnce: () => Promise<number>,
): Promise<void> {
  while (clock.uptime() < endsAt && !closing.hasEnded) {
    const pauseMs = await sweepOnce()
    if (pauseMs > muchLeftMs) return
    await new Promise<void>((resolve) => void clock.after(pauseMs, resolve))
  }
}

/** Makes a function that calls each look whose pause since its last call is over. */
export function sweepOnCall({ looks, clock }: PluginHost): () => Promise<number> {
  let paused: readonly { readonly look: () => Promise<number>; nextAt: number }[] | undefined
  return async () => {
    paused ??= looks().map((look) => ({ look, nextAt: clock.uptime() }))
    const pauses = paused.map(async (one) => {
      if (clock.uptime() >= one.nextAt) one.nextAt = clock.uptime() + (await one.look())
      return one.nextAt - clock.uptime()
    })
    return Math.min(...(await Promise.all(pauses)))
  }
}

/** @param idle the jobs that are due and can't be advanced now */
async function nextDueAt(
  { jobs, clock }: PluginHost,
  idle: ReadonlySet<string>,
): Promise<number | undefined> {
  const now = clock.now()
  let nextAt = idle.size > 0 ? now + laterMs : Number.POSITIVE_INFINITY
  const listed = await jobs.due(now + longestPauseMs, idle.size + claimedReads)
  const others = listed.filter((jobId) => !idle.has(jobId)).slice(0, claimedReads)
  // A store may list a job by its `dueAt` although it is claimed for longer. So a job behind it may be due earlier.
  for (const jobId of others) {
    const { dueAt, claim } = (await jobs.get(jobId)) ?? {}
    if (dueAt === undefined) continue
    const claimedUntil = claim?.until ?? 0
    nextAt = Math.min(nextAt, Math.max(dueAt, claimedUntil))
    if (claimedUntil <= dueAt) return nextAt
  }
  if (others.length === claimedReads) return Math.min(nextAt, now + laterMs)
  return nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt
}
