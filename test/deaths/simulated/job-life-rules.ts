import { isFinished, type Job, type JobPhase } from '@genmount/core'

/** The abstract model: the phases that may follow each phase. */
const allowed: Record<JobPhase, readonly JobPhase[]> = {
  accepted: ['submitting', 'failed'],
  submitting: ['submitting', 'accepted', 'running', 'collecting', 'completed', 'failed'],
  running: ['running', 'collecting', 'completed', 'failed'],
  collecting: ['collecting', 'completed', 'failed'],
  completed: [],
  failed: [],
}
/**
 * The phases that may follow `submit_ambiguous`, the only final state that news about the task may change.
 */
const mendsAmbiguity: readonly JobPhase[] = ['submitting', 'running', 'collecting']

/** Checks a write to the store. @returns descriptions of what is wrong with it */
export function wrongMoves(before: Job, next: Job): readonly string[] {
  const wrong: string[] = []
  if (!mayFollow(before, next)) wrong.push(`${standing(before)} -> ${standing(next)}`)
  if (before.phase === 'accepted' && next.phase === 'failed' && next.error?.code === 'canceled') {
    if (!next.isCostKnown || next.costUsd !== 0) wrong.push('cancelled before its submit, at an unknown cost')
  }
  if (before.cancelAskedAt !== undefined && next.cancelAskedAt !== before.cancelAskedAt)
    wrong.push('the wish of the owner was lost')
  if (!isFinished(before) && next.phase === 'completed' && next.outputs.length === 0)
    wrong.push('completed without an output')
  if (before.deletedAt !== undefined && next.deletedAt === undefined) wrong.push('a deleted job is back')
  if (before.cancelAskedAt !== undefined && next.submitToken !== before.submitToken && isSubmit(next))
    wrong.push('a canceled job was submitted again')
  if (next.revision !== before.revision + 1) wrong.push(`revision ${before.revision} -> ${next.revision}`)
  const { createdAt, startedAt = createdAt, completedAt = startedAt } = next
  if (createdAt > startedAt || startedAt > completedAt)
    wrong.push(`created at ${createdAt}, started at ${startedAt}, completed at ${completedAt}`)
  return wrong
}

function isSubmit({ phase, submitToken, claim }: Job): boolean {
  return phase === 'submitting' && submitToken !== undefined && submitToken === claim?.token
}

function mayFollow(before: Job, next: Job): boolean {
  if (allowed[before.phase].includes(next.phase)) return true
  if (before.error?.code === 'submit_ambiguous' && mendsAmbiguity.includes(next.phase)) return true
  return isFinished(before) && isSameToItsOwner(before, next)
}

/** Whether only fields have changed that no owner can see, such as the time to delete the job. A deleted job shows none. */
function isSameToItsOwner(before: Job, next: Job): boolean {
  const shown = ({ id, phase, outputs, costUsd, inferenceMs, error, startedAt, completedAt }: Job) =>
    JSON.stringify([id, phase, outputs, costUsd, inferenceMs, error, startedAt, completedAt])
  if (next.deletedAt !== undefined) return next.phase === before.phase
  return shown(before) === shown(next) && next.expiresAt === before.expiresAt
}

function standing({ phase, error }: Job): string {
  return error ? `${phase} (${error.code})` : phase
}
