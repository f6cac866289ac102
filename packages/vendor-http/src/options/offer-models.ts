import { type Check, checkObject, count, type Model, optional } from '@genmount/core'
import { recordOf } from '../client/record-of.ts'
import { unpricedInputs } from './unpriced-inputs.ts'

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

/** The checks of the {@link ModelOptions}, for the table of the options of a provider's models. */
export const modelOptions: Readonly<Record<keyof ModelOptions, Check<number | undefined>>> = {
  typicalMs: optional(count()),
  retentionDays: optional(count(1, 3650)),
}

/**
 * Makes the check of the option `models`: an object with the options of each model, by its public id.
 * @param entryOf checks the options of a model and turns them into what its provider needs to know. `at` is their place
 *   for `checkOptions`, such as `acmeProvider: models['flux']`
 * @returns a check that prepares each model. A model whose option `price` is a table says which inputs have no amount
 * @throws TypeError that names the wrong option
 */
export function offerModels<
  Options extends object,
  Entry extends Pick<Model, 'outputKind' | 'input' | 'isCostKnown'> &
    Pick<ModelOptions, 'typicalMs'> & {
      /** What clients are told about the price of the model's jobs. @default nothing */
      readonly shownPrice?: Model['price']
    },
>(entryOf: (options: Options, at: string, id: string) => Entry): Check<ModelOffer<Entry>> {
  return (name, value) => {
    const models = Object.entries(checkObject(name, value, ' with at least one model by its public id'))
    if (models.length === 0)
      throw new TypeError(`${name} must be an object with at least one model by its public id.`)
    const offered = new Map(
      models.map(([id, options]) => {
        const at = `${name}['${id}']`
        if (id.trim() !== id || id === '')
          throw new TypeError(`${at} must have an id without spaces around it.`)
        const entry = entryOf((options ?? {}) as Options, at, id)
        const given = (options ?? {}) as ModelOptions
        const typicalMs = modelOptions.typicalMs(`${at}.typicalMs`, given.typicalMs) ?? entry.typicalMs
        const retentionDays = modelOptions.retentionDays(`${at}.retentionDays`, given.retentionDays)
        const { outputKind, input, isCostKnown, shownPrice: price } = entry
        const unpriced = unpricedInputs(`${at}.price`, recordOf(options)['price'], input)
        const known = { isCostKnown, unpricedInputs: unpriced }
        const model: Model = { id, outputKind, input, typicalMs, retentionDays, ...known, price }
        return [id, { entry, model }] as const
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
}
