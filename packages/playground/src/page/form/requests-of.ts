import type { Model } from '@genmount/client'
import type { Draft } from './draft.ts'
import { fieldsOf } from './fields-of.ts'
import { inputOf, type Input } from './input-of.ts'
import { randomSeed } from './number-field.tsx'

/** The jobs that the form asks for: for each model the chosen number of jobs, each with its own seed. */
export function requestsOf(
  draft: Draft,
  models: readonly Model[],
): readonly { readonly model: Model; readonly input: Input }[] {
  return models.flatMap((model) => {
    const fields = fieldsOf(model)
    const input = inputOf(fields, draft.values)
    const seed = fields.find(({ kind }) => kind === 'seed')
    if (!seed || draft.count === 1)
      return Array.from({ length: seed ? 1 : draft.count }, () => ({ model, input }))
    const { name, min = 0, max = Infinity } = seed
    const first = Number(input[name] ?? randomSeed(seed)) - min
    return Array.from({ length: draft.count }, (_, n) => ({
      model,
      input: { ...input, [name]: min + ((first + n) % (max - min + 1)) },
    }))
  })
}
