import { type AuditEntry, GenerationError, type PluginHost } from '@genmount/core'
import { needed } from '../plugin/service-of.ts'

/** What an operator is about to do. */
export type Intent = Pick<AuditEntry, 'action' | 'by' | 'job' | 'owner' | 'why'>

/** What came of an act. */
export interface Acted<Result> {
  /** What came of it, for the audit log. */
  readonly outcome: string
  readonly result: Result
}

/**
 * Writes into the audit log what an operator is about to do, does it, and adds what came of it. So an act of which nobody knows
 * the outcome, because the process ended meanwhile, stands there too, without an outcome.
 * @returns the entry with its outcome, and the result of `run`
 * @throws GenerationError `not_supported` when the job store keeps no audit log; what the store throws, before anything is done;
 *   what `run` throws
 */
export async function audited<Result>(
  { jobs, clock, log }: Pick<PluginHost, 'clock' | 'jobs' | 'log'>,
  intent: Intent,
  run: () => Promise<Acted<Result>>,
): Promise<{ readonly act: AuditEntry; readonly result: Result }> {
  const audit = needed(jobs.audit, 'The job store keeps no audit log, without which operators can not act')
  const entry: AuditEntry = { id: crypto.randomUUID(), at: clock.now(), ...intent }

  /** The act is done, so an error of the store must not look like one of the act. */
  async function conclude(outcome: string): Promise<AuditEntry> {
    const act = { ...entry, outcome }
    await audit(act).catch((cause: unknown) =>
      log.error(
        `The outcome of the act ${entry.id} of operator ${entry.by} is missing in the audit log: ${outcome}.`,
        { job: entry.job, cause },
      ),
    )
    return act
  }

  await audit(entry)
  try {
    const { outcome, result } = await run()
    return { act: await conclude(outcome), result }
  } catch (fault) {
    await conclude(fault instanceof GenerationError ? fault.code : 'internal_error')
    throw fault
  }
}
