import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Log, LogFields } from '../contracts/log.ts'
import type { JobFailure } from '../errors/error-codes.ts'
import type { JobEvent } from '../job/job-event.ts'
import { onceAMinute } from '../pacing/once-a-minute.ts'
import { shortened, shortText } from '../text/short-text.ts'
import { fieldsOf, whose } from '../job/whose.ts'

/**
 * Failures after which a job may have been paid for without being delivered, although nothing was wrong with the task.
 */
const isErrorFor: ReadonlySet<JobFailure> = new Set([
  'submit_ambiguous',
  'service_failed',
  'provider_lost',
  'output_invalid',
  'deadline_exceeded',
])

/** Failures for which the owner or the owner's input is the usual reason, so that an owner can cause any number of them. */
const isOftenTheOwners: ReadonlySet<JobFailure> = new Set([
  'provider_rejected',
  'content_policy',
  'input_fetch_failed',
  'insufficient_quota',
  'canceled',
])

/** The statuses with which a vendor rejects the account: credentials, credit, rights. */
const accountStatuses: readonly (number | undefined)[] = [401, 402, 403]

/** The most characters of the words that a failed job keeps, without an ellipsis. */
const maxDetail = 499

/** The parts of a provider's answer that the owner does not see. */
export interface ProviderAnswer {
  /** The HTTP status of the vendor's answer. */
  readonly status?: number | undefined
  /** Whether the account of this service is the reason, not the task. */
  readonly isAccountAtFault?: boolean | undefined
  /** The error behind the answer. Only its message goes to the log, because other fields may contain credentials. */
  readonly cause?: unknown
}

/** Writes log lines about jobs in trouble and jobs that have failed. */
export interface TroubleTeller {
  /**
   * Logs the failure of the job, if it has failed. A failure that the owner's input or the account causes is a warning,
   * at most once a minute for each provider, code and status.
   */
  ended(job: Job, provider?: string, answer?: ProviderAnswer): void
  /**
   * Warns that a provider has refused a submit or a poll for now, at most once a minute for each provider, status and
   * next route.
   * @param nextRoute the route that is tried next
   */
  refused(
    job: Job,
    provider: string,
    answer: ProviderAnswer & { readonly message: string },
    nextRoute?: string,
  ): void
  /**
   * Warns that a job will complete without some of its outputs, which can't be delivered.
   * @param faults the place of each of them, and what is wrong with it
   */
  omitted(job: Job, provider: string, faults: readonly string[]): void
  /**
   * Warns that a call to the provider has failed. If the vendor does not accept the account, it warns at most once a
   * minute for each provider and status.
   */
  unanswered(job: Job, provider: string, error: unknown): void
  /**
   * Warns that the job waits for a model or a provider that no process has, at most once a minute for each model or
   * provider.
   */
  forsaken(job: Job): void
  /** Logs that the outcome of a step could not be stored. The line contains no content of outputs. */
  unwritten(job: Job, event: JobEvent, provider: string | undefined, fault: unknown): void
}

export function troubleTeller(log: Log, clock: Clock): TroubleTeller {
  const occurrence = onceAMinute(clock)

  function warn(kind: string | undefined, message: string, fields: LogFields): void {
    const now = kind === undefined ? { leftOut: 0 } : occurrence(kind)
    if (!now) return
    const { leftOut } = now
    if (leftOut === 0) return log.warn(message, fields)
    log.warn(`${message} (${leftOut} more like this since the last line about it)`, { ...fields, leftOut })
  }

  return {
    ended(job, provider = job.provider, { status, isAccountAtFault, cause } = {}) {
      const { phase, error, costUsd } = job
      if (phase !== 'failed' || !error) return
      const { code } = error
      const causeText = cause === undefined ? undefined : shortText(cause)
      const fields = {
        ...fieldsOf(job, provider),
        code,
        status,
        costUsd: costUsd || undefined,
        cause: causeText,
      }
      const why = causeText === undefined ? error.message : `${error.message} (${causeText})`
      const line = `${whose(job, provider)} failed as ${code}, ${paid(job)}: ${why}`
      if (isErrorFor.has(code)) return log.error(line, fields)
      const isLimited = isAccountAtFault || isOftenTheOwners.has(code)
      warn(isLimited ? `ended ${fields.provider} ${code} ${status}` : undefined, line, fields)
    },

    refused(job, provider, { status, message, cause }, nextRoute) {
      const by = job.route === undefined ? `provider ${provider}` : `route ${job.route}`
      const then = nextRoute === undefined ? 'the next try follows' : `${nextRoute} is next`
      const why = cause === undefined ? message : `${message} ${shortText(cause)}`
      const line = `Job ${job.id}: ${by} has not taken the request on (${why}); ${then}.`
      warn(`refused ${by} ${status} ${nextRoute}`, line, { ...fieldsOf(job, provider), status })
    },

    omitted(job, provider, faults) {
      const line = `${whose(job, provider)} completes without outputs that can't be delivered: ${faults.join('; ')}`
      log.warn(shortText(line), fieldsOf(job, provider))
    },

    unanswered(job, provider, error) {
      const status = statusOf(error)
      const kind = accountStatuses.includes(status) ? `unanswered ${provider} ${status}` : undefined
      const fields = { ...fieldsOf(job, provider), status }
      warn(kind, `Provider ${provider}, job ${job.id}: ${inWords(error)}`, fields)
    },

    forsaken(job) {
      const { phase, model, route, provider = route } = job
      const what = phase === 'accepted' ? `model ${model}` : `provider ${provider}`
      const line = `${whose(job)} waits for the ${what}, which this service does not have. It fails at its deadline.`
      warn(`forsaken ${what}`, line, fieldsOf(job))
    },

    unwritten(job, event, provider, fault) {
      const withHandle = event.type === 'running' ? { ...job, handle: event.handle } : job
      const costUsd = 'costUsd' in event ? event.costUsd : undefined
      const cost = costUsd === undefined ? '' : ` (cost $${costUsd})`
      const code = 'code' in event ? event.code : undefined
      const step = `${event.type}${code === undefined ? '' : ` as ${code}`}${cost}`
      // The error is logged as text: the log limits faults of the store to one line a minute, and this line must be
      // written for each job.
      log.error(
        `${whose(withHandle, provider)}: the outcome of a step, ${step}, could not be written to the job store. ${shortText(fault)}`,
        { ...fieldsOf(withHandle, provider), code, costUsd },
      )
    },
  }
}

/** The words of an answer that a failed job keeps for operators. @returns `undefined` when there are none */
export function detailOf({ status, cause }: ProviderAnswer = {}): string | undefined {
  const words = [
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(cause === undefined ? [] : [shortText(cause)]),
  ]
  return words.length > 0 ? shortened(words.join(': '), maxDetail) : undefined
}

function paid({ costUsd, handle, error, startedAt }: Job): string {
  if (costUsd > 0) return `paid $${costUsd}`
  if (handle !== undefined) return 'probably paid'
  return startedAt === undefined && error?.code !== 'submit_ambiguous' ? 'not paid' : 'perhaps paid'
}

function statusOf(error: unknown): number | undefined {
  const { status } = (error instanceof Error ? error : {}) as { readonly status?: unknown }
  return typeof status === 'number' ? status : undefined
}

/** The message with the code of the cause, because a message such as `fetch failed` does not say what went wrong. */
function inWords(error: unknown): string {
  const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as { code?: unknown }
  return code === undefined ? shortText(error) : `${shortText(error)} (${shortText(code)})`
}
