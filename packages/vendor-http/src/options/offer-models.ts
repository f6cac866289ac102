import { checkCount, type Model } from '@genmount/core'

/** The options that every model has, whatever its provider. */
export interface ModelOptions {
  /** How long a job usually takes, in milliseconds. @default the provider's estimate, or learnt from finished jobs */
  readonly typicalMs?: number | undefined
  /** For how many whole days jobs and their outputs are kept, 1 to 3650. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
}

/** The models on offer, and what their provider needs to know about each. */
export interface ModelOffer<Entry> {
  /** The models as the service needs them: the `models` of a `Provider`. */
  readonly models: readonly Model[]
  /** What the provider needs to know about a task's model. @throws Error when the model is not on offer */
  of(task: { readonly model: string }): Entry
}

/**
 * Checks the option `models` and prepares each model.
 * @param models the options of each model, by its public id
 * @param entryOf turns the options of a model into what its provider needs to know. When they are wrong, it throws a
 *   TypeError whose message begins with `at`, which is the place of the options, such as `models['flux']`
 * @throws TypeError that names the wrong option
 */
export function offerModels<
  Options extends object,
  Entry extends Pick<Model, 'outputKind' | 'input' | 'isCostKnown'> & Pick<ModelOptions, 'typicalMs'>,
>(
  models: Readonly<Record<string, Options>>,
  entryOf: (options: Options, at: string, id: string) => Entry,
): ModelOffer<Entry> {
  const given = typeof models === 'object' && !Array.isArray(models) ? Object.entries(models ?? {}) : []
  if (given.length === 0)
    throw new TypeError('models must be an object with at least one model by its public id.')
  const offered = new Map(
    given.map(([id, options]) => {
      const at = `models['${id}']`
      if (id.trim() !== id || id === '')
        throw new TypeError(`${at} must have an id without spaces around it.`)
      const entry = entryOf(options ?? {}, at, id)
      const { typicalMs = entry.typicalMs, retentionDays } = (options ?? {}) as ModelOptions
      if (typicalMs !== undefined) checkCount(`${at}.typicalMs`, typicalMs)
      if (retentionDays !== undefined) checkCount(`${at}.retentionDays`, retentionDays, 1, 3650)
      const { outputKind, input, isCostKnown } = entry
      return [id, { entry, model: { id, outputKind, input, typicalMs, retentionDays, isCostKnown } }] as const
    }),
  )
  return {
    models: [...offered.values()].map(({ model }) => model),
    of({ model }) {
      const found = offered.get(model)
      if (found) return found.entry
      throw new Error(`This provider does not offer a model named ${model}.`)
    },
  }
}
