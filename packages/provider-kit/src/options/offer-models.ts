import {
  type Check,
  checkModelEnd,
  checkObject,
  count,
  listOf,
  type Model,
  type ModelEnd,
  optional,
  text,
} from '@genmount/core'
import { recordOf } from '../client/record-of.ts'
import { unpricedInputs } from './unpriced-inputs.ts'

/** The options that every model has, whatever its provider. */
export interface ModelOptions {
  /** The public id of the model, if `models` is a list. @default the model's key, if `models` is an object */
  readonly id?: string | undefined
  /**
   * What the model does, in one short sentence for people and agents that choose a model. See `Model.description`.
   * @default the provider's; most vendors' models have none
   * @example 'Makes a photo in two seconds, and writes short texts into it.'
   */
  readonly description?: string | undefined
  /** How long a job usually takes, in milliseconds. @default the provider's estimate, or learnt from finished jobs */
  readonly typicalMs?: number | undefined
  /** For how many whole days jobs and their outputs are kept, 1 to 3650. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
  /** How long a job may take before it fails, in milliseconds. @default the service's `deadlineMs` */
  readonly deadlineMs?: number | undefined
  /** How long one call to the vendor may take, in milliseconds. @default the provider's */
  readonly callTimeoutMs?: number | undefined
  /**
   * When the vendor ends the model; `false` if a gateway serves it for longer. See `Model.end`.
   * @default the end that the vendor has announced, as far as the provider knows
   * @example { on: '2026-12-01', replacement: 'gpt-image-2.6-flare' }
   */
  readonly end?: ModelEnd | false | undefined
}

/** The models of a provider: an object by the public ids that clients use, or a list of models that have an `id`. */
export type OfferedModels<Options> =
  | Readonly<Record<string, Options>>
  | readonly (Options & Readonly<Record<'id', string>>)[]

/** The models on offer, and what their provider needs to know about each. */
export interface ModelOffer<Entry> {
  /** The models as the service needs them: the `models` of a `Provider`. */
  readonly models: readonly Model[]
  /** What the provider needs to know about a task's model. @throws Error when the model is not on offer */
  of(task: { readonly model: string }): Entry
  /**
   * The same for a task that the vendor has, whose model may be on offer no more: then nothing is known about the model,
   * such as its price, and the task is polled all the same.
   */
  ofTask(task: { readonly model: string }): Partial<Entry>
}

const checkId = text('the public id of a model, without spaces around it', /^\S(.*\S)?$/)

/** The checks of the {@link ModelOptions}, for the table of the options of a provider's models. */
export const modelOptions: Readonly<Record<'id' | 'description', Check<string | undefined>>> &
  Readonly<
    Record<'typicalMs' | 'retentionDays' | 'deadlineMs' | 'callTimeoutMs', Check<number | undefined>>
  > &
  Readonly<Record<'end', Check<ModelEnd | false | undefined>>> = {
  id: optional(checkId),
  description: optional(text()),
  typicalMs: optional(count()),
  retentionDays: optional(count(1, 3650)),
  deadlineMs: optional(count()),
  callTimeoutMs: optional(count()),
  end: (name, end) => (end === undefined || end === false ? end : checkModelEnd(name, end)),
}

/**
 * Makes the check of the option `models`: an object with the options of each model, by its public id.
 * @param entryOf checks the options of a model and turns them into what its provider needs to know. `at` is their place
 *   for `checkOptions`, such as `acmeProvider: models['flux']`
 * @returns a check that prepares each model. If the option `price` of a model is a table, the prepared model says in
 *   `unpricedInputs` for which inputs the table has no amount
 * @throws TypeError that names the wrong option
 */
export function offerModels<
  Options extends object,
  Entry extends Pick<Model, 'outputKind' | 'input' | 'description' | 'isCostKnown'> &
    Pick<ModelOptions, 'typicalMs' | 'end'> & {
      /** The price of the model's jobs, as clients see it. @default none */
      readonly shownPrice?: Model['price']
    },
>(entryOf: (options: Options, at: string, id: string) => Entry): Check<ModelOffer<Entry>> {
  return (name, value) => {
    const models = modelsIn(name, value)
    if (models.length === 0) throw new TypeError(`${name} must have at least one model: ${forms}.`)
    const offered = new Map(
      models.map(([id, options]) => {
        const at = `${name}['${id}']`
        if (id.trim() !== id || id === '')
          throw new TypeError(`${at} must have an id without spaces around it.`)
        modelOptions.id(`${at}.id`, recordOf(options)['id'])
        const entry = entryOf((options ?? {}) as Options, at, id)
        const offerOptions = (options ?? {}) as ModelOptions
        const description =
          modelOptions.description(`${at}.description`, offerOptions.description) ?? entry.description
        const time = (option: 'typicalMs' | 'retentionDays' | 'deadlineMs' | 'callTimeoutMs') =>
          modelOptions[option](`${at}.${option}`, offerOptions[option])
        const times = {
          typicalMs: time('typicalMs') ?? entry.typicalMs,
          retentionDays: time('retentionDays'),
          deadlineMs: time('deadlineMs'),
          callTimeoutMs: time('callTimeoutMs'),
        }
        const { outputKind, input, isCostKnown, shownPrice: price } = entry
        const end = modelOptions.end(`${at}.end`, offerOptions.end) ?? entry.end
        const unpriced = unpricedInputs(`${at}.price`, recordOf(options)['price'], input)
        const cost = { isCostKnown, unpricedInputs: unpriced }
        const model: Model = {
          id,
          outputKind,
          description,
          input,
          ...times,
          ...cost,
          price,
          end: end || undefined,
        }
        return [id, { entry, model }] as const
      }),
    )
    return {
      models: [...offered.values()].map(({ model }) => model),
      of({ model }) {
        const offer = offered.get(model)
        if (offer) return offer.entry
        throw new Error(`This provider does not offer a model named ${model}.`)
      },
      ofTask: ({ model }) => offered.get(model)?.entry ?? {},
    }
  }
}

const forms = 'an object with each model by its public id, or a list of models that have an id'

/** The models of the option with their ids. @throws TypeError when a list has a model without an id, or an id twice */
function modelsIn(name: string, value: unknown): readonly (readonly [id: string, options: unknown])[] {
  if (!Array.isArray(value)) return Object.entries(checkObject(name, value, `: ${forms}`))
  const models = listOf(
    forms,
    (at, options) => [checkId(`${at}.id`, recordOf(options)['id']), options] as const,
  )
  const listed = models(name, value)
  const ids = listed.map(([id]) => id)
  const twin = ids.find((id, index) => ids.indexOf(id) < index)
  if (twin === undefined) return listed
  throw new TypeError(`${name} has two models with the id '${twin}'.`)
}
