import type { Model, ModelEnd } from '../contracts/provider.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { dayMs } from '../ledger/usage-counts.ts'
import { instantIn } from '../text/instant-text.ts'

/** For how many days before the end of a model the log warns about it. */
const warnedDays = 60

/** The ends of a vendor's models, by their names at the vendor. */
export type ModelEnds = Readonly<Record<string, ModelEnd>>

/** When a vendor ends a model. A version of the model, such as `gpt-image-1.5-2025-12-16`, ends with it. */
export function endOf(ends: ModelEnds, model: string): ModelEnd | undefined {
  const name = model.replace(/-\d{4}-\d\d-\d\d$/, '')
  return Object.hasOwn(ends, name) ? ends[name] : undefined
}

/**
 * Whether the vendor has ended a model: the last day of the model is over in UTC.
 * @param now in milliseconds since the Unix epoch
 */
export function hasEnded({ end }: Pick<Model, 'end'>, now: number): boolean {
  return end !== undefined && now >= beginOf(end) + dayMs
}

/** @throws GenerationError `model_not_found` that names what to use instead, when the vendor has ended the model */
export function checkNotEnded(model: Model, now: number): void {
  if (!hasEnded(model, now)) return
  const message = `The model ${model.id} ended on ${model.end?.on}.${insteadOf(model.end)}`
  throw new GenerationError('model_not_found', message, { param: 'model' })
}

/** Words for the operator about a model that has ended, or ends within 60 days. @returns `undefined` for any other model */
export function endWarning(model: Model, now: number): string | undefined {
  const { id, end } = model
  if (!end || now < beginOf(end) - warnedDays * dayMs) return undefined
  const ends = hasEnded(model, now) ? 'ended' : 'ends'
  return `Model ${id} ${ends} at its vendor on ${end.on}: its jobs are refused after that day.${insteadOf(end)}`
}

/** The end of a model with several routes: that of the route which ends last, if all of them end. */
export function lastEnd(models: readonly Pick<Model, 'end'>[]): ModelEnd | undefined {
  const ends = models.flatMap(({ end }) => end ?? [])
  if (ends.length < models.length) return undefined
  return ends.toSorted((one, other) => (one.on < other.on ? -1 : 1)).at(-1)
}

/** When the last day of a model begins. A day that the calendar does not have, such as 2026-02-31, never comes. */
function beginOf({ on }: ModelEnd): number {
  return instantIn(`${on}T00:00:00Z`) ?? Number.POSITIVE_INFINITY
}

function insteadOf({ replacement }: ModelEnd = { on: '' }): string {
  return replacement === undefined ? '' : ` Use ${replacement} instead.`
}
