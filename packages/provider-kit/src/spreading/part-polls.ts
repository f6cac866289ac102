import type { ProviderReport } from '@genmount/core'
import type { ReportOf } from '../client/vendor-failure.ts'
import type { SpreadPart } from './spread-part.ts'

/** The parts of a job, and what polls have said about them just now. */
export interface PolledParts {
  readonly parts: readonly SpreadPart[]
  /** The reports of those that have succeeded, by their places. */
  readonly reports: Readonly<Record<number, ReportOf<'succeeded'>>>
  /** How much is done of those that run, by their places. */
  readonly progress: Readonly<Record<number, number>>
  /** The shortest of the pauses that the answers ask for before the next poll, in milliseconds. */
  readonly pollAfterMs?: number | undefined
}

/** A part that the vendor has. */
type VendorPart = Extract<SpreadPart, { readonly handle: unknown }>

/** Polls one part. */
export type PollPart = (part: VendorPart, index: number) => Promise<ProviderReport>

/** After how many polls in a row that have not found a part it counts as lost, and the pause before each of them. */
const mostUnknownPolls = 10
const unknownPauseMs = 30_000

/**
 * Polls the parts that are in one state and have not reported yet. A part that is not answered stays as it is.
 * @throws the error of the first poll when no part is answered
 */
export async function pollParts(
  before: PolledParts,
  state: VendorPart['state'],
  poll: PollPart,
): Promise<PolledParts> {
  const polls = before.parts.flatMap((part, index) =>
    part.state === state && !before.reports[index] ? [{ part, index }] : [],
  )
  const answers = await Promise.allSettled(
    polls.map(async ({ part, index }) => poll(part as VendorPart, index)),
  )
  const [first] = answers
  if (first?.status === 'rejected' && answers.every(({ status }) => status === 'rejected')) throw first.reason
  const parts = [...before.parts]
  const reports = { ...before.reports }
  const progress = { ...before.progress }
  const pauses = before.pollAfterMs === undefined ? [] : [before.pollAfterMs]
  for (const [place, answer] of answers.entries()) {
    if (answer.status === 'rejected') continue
    const { part, index } = polls[place]!
    const report = answer.value
    parts[index] = partAfter(part as VendorPart, report)
    if (report.state === 'succeeded') reports[index] = report
    if (report.state === 'running' && report.progress !== undefined) progress[index] = report.progress
    const pauseMs = pauseAfter(report)
    if (pauseMs !== undefined) pauses.push(pauseMs)
  }
  return { parts, reports, progress, pollAfterMs: pauses.length > 0 ? Math.min(...pauses) : undefined }
}

function partAfter(part: VendorPart, report: ProviderReport): SpreadPart {
  switch (report.state) {
    case 'running':
      return { state: 'running', handle: report.handle }
    case 'succeeded':
      return { state: 'ended', handle: part.handle }
    case 'failed':
      return failedPart(report)
    case 'unknown': {
      const { unknownPolls = 0 } = part
      if (unknownPolls < mostUnknownPolls) return { ...part, unknownPolls: unknownPolls + 1 }
      return { state: 'failed', code: 'provider_lost', message: report.message, costUsd: report.costUsd }
    }
    case 'refused':
      return part
  }
}

/** A part that has failed. */
export function failedPart({ code, message, costUsd = 0 }: ReportOf<'failed'>): SpreadPart {
  return { state: 'failed', code, message, costUsd }
}

function pauseAfter(report: ProviderReport): number | undefined {
  if (report.state === 'unknown') return unknownPauseMs
  return report.state === 'running'
    ? report.pollAfterMs
    : report.state === 'refused'
      ? report.retryAfterMs
      : undefined
}
