import type {
  FurtherSubmit,
  Json,
  Provider,
  ProviderCall,
  ProviderReport,
  ProviderTask,
  RunningReport,
  RunningTask,
} from '@genmount/core'
import { failedPart, type PolledParts, type PollPart, pollParts } from './part-polls.ts'
import { handleOf, isOver, partsIn, partTask, type SpreadPart } from './spread-part.ts'
import { costSoFar, spreadReport } from './spread-report.ts'

/** The most outputs of a job that takes a submit for each. */
export const mostSpreadOutputs = 4

/** The shortest pause between two steps that a provider can ask for, in milliseconds. */
const soonMs = 20
/** The pause after a refusal that names none, in milliseconds. */
const refusedMs = 10_000

/**
 * Lets a job ask for several outputs of a vendor that makes one for each submit. It stays one job with one cost, and its outputs
 * keep the order of the submits, unless the vendor answers some submits with the output and others with a task.
 *
 * - The first submit is that of the job. Then each step of the job makes one more. Its beginning is stored before, so that no
 *   part is submitted twice. A part whose answer is lost counts as failed, because a second submit could cost twice.
 * - A part that the vendor refuses for now is submitted later, while the others go on.
 * - When all parts are over, the job completes with the outputs that there are. It fails only if there are none. The cost is the
 *   sum, and is known only if that of each part is.
 * - When the job is canceled or its time is over, no part is submitted any more, and what is made is delivered.
 *
 * - A callback is about one part. It causes a poll, and names the first part if the answer to its submit was lost.
 *
 * @param provider its calls get the task of one part, with `num_outputs` 1. It can't `find` or `list` tasks, because these are
 *   about one task. Its `readCallback` returns a handle and no report
 * @param countOf how many submits the job takes. With 1, `provider` gets its calls as they are.
 * @default the input's `num_outputs`
 */
export function spreadOutputs(
  provider: Omit<Provider, 'find' | 'list'>,
  countOf: (task: ProviderTask) => number = numOutputs,
): Provider {
  const { cancel, follow, readCallback } = provider

  async function pollSpread(
    task: RunningTask,
    stored: readonly SpreadPart[],
    call: ProviderCall,
  ): Promise<ProviderReport> {
    const poll: PollPart = ({ handle }, index) => provider.poll({ ...partTask(task, index), handle }, call)
    const before = { parts: stored.map(withoutAnswer), reports: {}, progress: {} }
    let polled = await pollParts(before, 'running', poll)
    if (call.isOver) polled = await givenUp(polled, () => cancelParts(task, polled.parts, call), poll)
    const next = polled.parts.findIndex(({ state }) => state === 'waiting')
    if (next >= 0 && !call.isOver)
      return { ...running(polled, soonMs), furtherSubmit: furtherSubmit(polled.parts, next) }
    if (!polled.parts.every(isOver)) return running(polled, polled.pollAfterMs)
    const whole = await pollParts(polled, 'ended', poll)
    const isWhole = whole.parts.every(({ state }, index) => state !== 'ended' || whole.reports[index])
    return isWhole && whole.parts.every(isOver) ? spreadReport(whole) : running(whole, whole.pollAfterMs)
  }

  async function cancelParts(
    task: RunningTask,
    parts: readonly SpreadPart[],
    call: ProviderCall,
  ): Promise<void> {
    const calls = parts.map(async (part, index) => {
      if (part.state === 'running') await cancel?.({ ...partTask(task, index), handle: part.handle }, call)
    })
    // Each part is canceled, also if the vendor does not answer for another one.
    await Promise.allSettled(calls)
    await Promise.all(calls)
  }

  return {
    ...provider,

    async submit(task, call) {
      const count = countOf(task)
      if (!(count > 1)) return provider.submit(task, call)
      const report = await provider.submit(partTask(task, 0), call)
      const isTakenOn = report.state === 'running' || report.state === 'succeeded'
      return isTakenOn ? afterSubmit(waitingParts(count), 0, report) : report
    },

    async poll(task, call) {
      const parts = partsIn(task.handle)
      return parts ? pollSpread(task, parts, call) : provider.poll(task, call)
    },

    ...(cancel && {
      async cancel(task, call) {
        const parts = partsIn(task.handle)
        await (parts ? cancelParts(task, parts, call) : cancel(task, call))
      },
    }),

    ...(readCallback && {
      async readCallback(request, task) {
        const handle = await readCallback(request, task)
        const count = task ? countOf(task) : 1
        if (!(count > 1)) return handle
        const first: SpreadPart = { state: 'running', handle: handle as Json }
        return task?.handle ?? handleOf(waitingParts(count).with(0, first))
      },
    }),

    ...(follow && { follow: (task, tell) => (partsIn(task.handle) ? () => {} : follow(task, tell)) }),
  }
}

function numOutputs({ input }: ProviderTask): number {
  return Number(input['num_outputs'] ?? 1)
}

function waitingParts(count: number): SpreadPart[] {
  return Array.from({ length: count }, () => ({ state: 'waiting' }))
}

function furtherSubmit(parts: readonly SpreadPart[], index: number): FurtherSubmit {
  return {
    handle: handleOf(parts.with(index, { state: 'submitting' })),
    taskOf: (task) => partTask(task, index),
    reportOf: (report) => afterSubmit(parts, index, report),
  }
}

/**
 * The report on the job after the submit of a part.
 * @param parts as they were before
 * @param report of the submit; `undefined` when its outcome is unknown
 */
function afterSubmit(
  parts: readonly SpreadPart[],
  index: number,
  report: ProviderReport | undefined,
): RunningReport {
  const runningWith = (part: SpreadPart, pollAfterMs?: number) => {
    const all = parts.with(index, part)
    const isAwaited = all.some(({ state }) => state === 'running') && all.every(isTaken)
    return running({ parts: all, progress: {} }, isAwaited ? pollAfterMs : soonMs)
  }
  switch (report?.state) {
    case 'running':
      return runningWith({ state: 'running', handle: report.handle }, report.pollAfterMs)
    case 'succeeded': {
      const { outputs, costUsd, tokens, omitted } = report
      const links = outputs.filter((output) => 'url' in output)
      const part: SpreadPart = { state: 'made', links, costUsd, tokens, omitted }
      const bytes = outputs.filter((output) => 'bytes' in output)
      return { ...runningWith(part), outputs: bytes, costUsd: costSoFar(parts.with(index, part)) }
    }
    case 'failed':
      return runningWith(failedPart(report))
    case 'refused':
      return running({ parts, progress: {} }, report.retryAfterMs ?? refusedMs)
    default:
      return runningWith({ state: 'submitting' })
  }
}

/** Whether the vendor has got a part, or has said no. */
function isTaken({ state }: SpreadPart): boolean {
  return state !== 'waiting' && state !== 'submitting'
}

function running(
  { parts, progress }: Pick<PolledParts, 'parts' | 'progress'>,
  pollAfterMs: number | undefined,
): RunningReport {
  const shares = parts.map((part, index) => (isOver(part) ? 1 : (progress[index] ?? 0)))
  const mean = shares.reduce((sum, share) => sum + share, 0) / parts.length
  return { state: 'running', handle: handleOf(parts), pollAfterMs, ...(mean > 0 && { progress: mean }) }
}

/** A part whose submit had begun when the job was stored, so that its answer is lost. */
function withoutAnswer(part: SpreadPart): SpreadPart {
  if (part.state !== 'submitting') return part
  const message = 'it is not known whether the provider has taken it on, and a second submit could cost twice'
  return { state: 'failed', code: 'provider_lost', message }
}

/**
 * Gives up the parts of a job that is over: those that are not submitted, and those that still run when others are made.
 * @param cancelRunning stops those that still run
 */
async function givenUp(
  polled: PolledParts,
  cancelRunning: () => Promise<void>,
  poll: PollPart,
): Promise<PolledParts> {
  const has = (...states: readonly SpreadPart['state'][]) =>
    polled.parts.some(({ state }) => states.includes(state))
  const isMade = has('ended', 'made')
  if (has('running') && !isMade) return polled
  let last = polled
  if (has('running')) {
    await cancelRunning().catch(() => {})
    last = await pollParts(polled, 'running', poll).catch(() => polled)
  }
  return { ...last, parts: last.parts.map(overPart) }
}

function overPart(part: SpreadPart): SpreadPart {
  if (isOver(part)) return part
  const failure = { state: 'failed', code: 'provider_failed' } as const
  return part.state === 'waiting'
    ? { ...failure, message: 'it was not submitted before the job was over', costUsd: 0 }
    : { ...failure, message: 'it had not ended when the job was over' }
}
