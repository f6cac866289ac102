import type { Model } from '@genmount/client'
import { createStore, keptValue, type Store } from '@genmount/page-kit/page'
import { previewsIn, type Values, valuesToKeep } from './values.ts'

/** The content of the form. */
export interface Draft {
  /** The id of the model. */
  readonly model: string | undefined
  /** The ids of the models that get the same input. */
  readonly others: readonly string[]
  readonly values: Values
  /** How many jobs are made with each model. Each job has its own seed. */
  readonly count: number
}

const stored = keptValue<Draft>('playground.draft')

/** Restores the form as it was before a reload, without its files. */
export function createDraft(): Store<Draft> {
  const draft = createStore<Draft>({ model: undefined, others: [], values: {}, count: 1, ...stored.read() })
  draft.subscribe(() => stored.write({ ...draft.state, values: valuesToKeep(draft.state.values) }))
  let previews = previewsIn(draft.state.values)
  draft.subscribe(() => {
    const now = previewsIn(draft.state.values)
    // The browser keeps a chosen file in memory for as long as its preview has an address.
    for (const preview of previews) if (!now.has(preview)) URL.revokeObjectURL(preview)
    previews = now
  })
  return draft
}

/** The model of the form: the chosen one, or the first one if the service no longer has the chosen one. */
export function modelOf({ model }: Draft, models: readonly Model[]): Model | undefined {
  return models.find(({ id }) => id === model) ?? models[0]
}
