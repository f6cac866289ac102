import { checkCount, type Model } from '@genmount/core'

/** What an app can say of a model, whoever makes it. */
export interface ModelOptions {
  /** How long a job usually takes, in milliseconds. @default it is learnt */
  readonly typicalMs?: number | undefined
  /** Whole days for which jobs and their outputs are kept. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
}

/** The models on offer, and what their provider knows of each beside. */
export interface ModelOffer<Entry> {
  readonly models: readonly Model[]
  /** What is known of a task's model. @throws Error when it is not on offer */
  of(task: { readonly model: string }): Entry
}

/**
 * Checks the option `models`.
 * @param entryOf makes of a model's options what its provider needs to know; throws a TypeError that begins with `at`
 *   when they are wrong
 * @throws TypeError that names the option
 */
export function offerModels<
  Options extends object,
  Entry extends Pick<Model, 'outputKind' | 'input'> & Pick<ModelOptions, 'typicalMs'>,
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
      const { outputKind, input } = entry
      return [id, { entry, model: { id, outputKind, input, typicalMs, retentionDays } }] as const
    }),
  )
  return {
    models: [...offered.values()].map(({ model }) => model),
    of({ model }) {
      const found = offered.get(model)
      if (found) return found.entry
      throw new Error(`There is no model ${model} here.`)
    },
  }
}
