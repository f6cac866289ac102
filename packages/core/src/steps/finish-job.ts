import type { Job } from '../contracts/job.ts'
import type { Output } from '../contracts/provider-report.ts'
import type { JobEvent } from '../job/job-event.ts'
import { deleteStrays } from '../retention/retention.ts'
import { persist } from '../pacing/persist.ts'
import { upTo } from '../pacing/within-limit.ts'
import { leastHoldingMs } from '../claims/claim.ts'
import { collectOutputs } from './collect-outputs.ts'
import type { Step } from './step.ts'
import type { StepResult } from './step-result.ts'

/** How long storing outputs may take, in milliseconds, before a separate write records that the task has finished. */
const soonMs = 200

/** Writes an event to the job. @returns the job as written; `undefined` when another process has the job */
type Record = (event: JobEvent) => Promise<Job | undefined>

/**
 * Stores the outputs of a task that has succeeded, and completes its job. This takes one write if the outputs are
 * stored soon and could be fetched again after a crash of this process. Otherwise a first write records that the task
 * has finished.
 */
export async function finishJob(
  step: Step,
  event: Extract<JobEvent, { type: 'succeeded' }>,
  outputs: readonly Output[],
  record: Record,
): Promise<Job | undefined> {
  const store = () => collectOutputs(step, outputs)
  if (!canBeHadAgain(step, outputs)) {
    if (await record(event)) return recordCollected(step, store(), record)
    if (!(await isAwaited(step))) return undefined
    await store()
    return dropStrays(step, event.outputs)
  }
  const collecting = store()
  let soon: StepResult = {}
  await upTo(
    step.context.clock,
    soonMs,
    collecting.then((result) => (soon = result)),
  )
  const { event: collected } = soon
  if (collected?.type === 'collected') {
    const { outputs: stored, copyAt } = collected
    const completed = await record({ ...event, outputs: stored, collected: { copyAt } })
    return completed ?? dropStrays(step, stored)
  }
  if (await record(event)) return recordCollected(step, collecting, record)
  await collecting
  return dropStrays(step, event.outputs)
}

/**
 * Stores outputs of a task that still runs, and records them. If they can't be stored, they are lost: the task goes on.
 * @param costUsd what the task has cost so far, if the app refuses one of the outputs
 */
export async function recordMade(
  step: Step,
  event: Extract<JobEvent, { type: 'running' }>,
  { outputs, costUsd }: Pick<StepResult, 'costUsd'> & { readonly outputs: readonly Output[] },
  record: Record,
): Promise<Job | undefined> {
  const { event: stored } = await collectOutputs(step, outputs)
  if (stored?.type === 'failed') return record({ ...stored, costUsd })
  if (stored?.type !== 'collected') return record(event)
  return (await record({ ...event, outputs: stored.outputs })) ?? dropStrays(step, stored.outputs)
}

/** Writes the outcome of storing the outputs. */
export async function recordCollected(
  step: Step,
  collecting: Promise<StepResult>,
  record: Record,
): Promise<Job | undefined> {
  const { event } = await collecting
  const recorded = event && (await record(event))
  return event?.type === 'collected' && !recorded ? dropStrays(step, event.outputs) : recorded
}

/**
 * Whether another process waits for outputs that only this process has. The job store may have taken the record that
 * the task has succeeded, although this process got no answer before its claim ran out.
 */
async function isAwaited({ context, job }: Step): Promise<boolean> {
  const { jobs, clock, givingUp } = context
  const read = () => jobs.get(job.id)
  const stored = await persist(read, { clock, givingUp, forMs: leastHoldingMs }).catch(() => undefined)
  return stored?.phase === 'collecting' && stored.submitToken === job.claim?.token
}

/** Deletes stored outputs if their job is gone. */
async function dropStrays({ context, job }: Step, outputs: Job['outputs']): Promise<undefined> {
  await deleteStrays({ ...job, outputs }, context)
}

/** Whether nothing is lost if this process dies before it has recorded that the task has finished. */
function canBeHadAgain({ context, job }: Step, outputs: readonly Output[]): boolean {
  return context.isInThisProcess || job.phase === 'running' || outputs.every((output) => 'url' in output)
}
