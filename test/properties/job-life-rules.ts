import { isFinished, type Job, type JobPhase } from '@genmount/core'

/** The abstract model: the phases that may follow each phase. */
const allowed: Record<JobPhase, readonly JobPhase[]> = {
  accepted: ['submitting'],
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
  if (next.revision !== before.revision + 1) wrong.push(`revision ${before.revision} -> ${next.revision}`)
  const { createdAt, startedAt = createdAt, completedAt = startedAt } = next
  if (createdAt > startedAt || startedAt > completedAt)
    wrong.push(`created at ${createdAt}, started at ${startedAt}, completed at ${completedAt}`)
  return wrong
}

function mayFollow(before: Job, next: Job): boolean {
  if (allowed[before.phase].includes(next.phase)) return true
  if (before.error?.code === 'submit_ambiguous' && mendsAmbiguity.includes(next.phase)) return true
  return isFinished(before) && isSameToItsOwner(before, next)
}

/** Whether only fields have changed that no owner can see, such as the time to delete the job. */
function isSameToItsOwner(before: Job, next: Job): boolean {
  const shown = ({
    id,
    phase,
    outputs,
    costUsd,
    inferenceMs,
    error,
    startedAt,
    completedAt,
    expiresAt,
  }: Job) =>
    JSON.stringify([id, phase, outputs, costUsd, inferenceMs, error, startedAt, completedAt, expiresAt])
  return shown(before) === shown(next)
}

function standing({ phase, error }: Job): string {
  return error ? `${phase} (${error.code})` : phase
}
