import type { Model } from '@genmount/client'
import type { Draft } from './draft.ts'
import { fieldsOf } from './fields-of.ts'
import { inputOf, type Input } from './input-of.ts'
import { randomSeed } from './number-field.tsx'

/** A job that the form asks for. */
export interface JobRequest {
  readonly model: Model
  readonly input: Input
}

/**
 * Whether a model makes different outputs of one input. One without a prompt and a seed, such as an enlarger, makes the
 * same output each time.
 */
export function makesVersions(model: Model): boolean {
  return fieldsOf(model).some(({ name, kind }) => name === 'prompt' || kind === 'seed')
}

/**
 * The jobs that the form asks for: for each model the chosen number of jobs, each with its own seed. Where the visitor has
 * set no seed, the page chooses one, so that each job says with which seed it can be made again.
 */
export function requestsOf(draft: Draft, models: readonly Model[]): readonly JobRequest[] {
  return models.flatMap((model) => {
    const fields = fieldsOf(model)
    const input = inputOf(fields, draft.values)
    const seed = fields.find(({ kind }) => kind === 'seed')
    const count = makesVersions(model) ? draft.count : 1
    if (!seed) return Array.from({ length: count }, () => ({ model, input }))
    const { name, min = 0, max = Infinity } = seed
    const first = Number(input[name] ?? randomSeed(seed)) - min
    return Array.from({ length: count }, (_, n) => ({
      model,
      input: { ...input, [name]: min + ((first + n) % (max - min + 1)) },
    }))
  })
}
