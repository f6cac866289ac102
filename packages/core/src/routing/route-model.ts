import type { JsonObject } from '../contracts/json.ts'
import type { Model, Provider } from '../contracts/provider.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { jsonCopy } from '../text/json-copy.ts'
import { validateInput } from '../input/validate-input.ts'

export interface RouteOptions {
  readonly provider: Provider
  /** What this provider calls the model. */
  readonly model: string
  /**
   * By which jobs remember the route. Keep it when you reorder routes: a job whose route is gone waits for it to come
   * back, and fails at its deadline. @default the provider's name and its model, such as `fal/flux-dev`
   */
  readonly name?: string | undefined
  /**
   * Makes this route's input of the public one; the route's own schema validates what comes of it. Asked for each call, so
   * it must make the same of the same. @default the same input
   */
  readonly mapInput?: ((input: JsonObject) => Readonly<Record<string, unknown>>) | undefined
}

export interface RouteModelOptions {
  /** The public identifier, unique within a service. */
  readonly id: string
  /** In the order of preference. All make the same kind of output. */
  readonly routes: readonly RouteOptions[]
  /** The public input. @default that of the first route */
  readonly input?: Model['input'] | undefined
  /** @default that of the first route */
  readonly retentionDays?: number | undefined
  /** @default that of the first route */
  readonly typicalMs?: number | undefined
}

/** One model that several providers serve. Stands among the `providers` of a service. */
export interface RoutedModel {
  readonly model: Model
  readonly routes: readonly ModelRoute[]
}

/** One of the ways to have a model's jobs made. */
export interface ModelRoute {
  readonly name: string
  readonly provider: Provider
  /** What this provider calls the model. */
  readonly model: string
  /** The input for this route. @throws when its schema refuses it */
  inputOf(input: JsonObject): Promise<JsonObject>
}

/**
 * Serves one model by several providers, in order. The next one is tried only where it is clear that nothing was taken on:
 * the one before has refused the task, could not be reached, does not take this input or our account, or is in trouble
 * and given no new jobs. After a submit of which nobody knows what came, no other route is tried, ever.
 * @throws TypeError when an option is wrong
 * @example
 * const flux = routeModel({
 *   id: 'flux',
 *   routes: [
 *     { provider: fal, model: 'flux-dev' },
 *     { provider: replicate, model: 'flux-dev', mapInput: ({ prompt }) => ({ prompt }) },
 *   ],
 * })
 * createGenerationService({ providers: [flux] })
 */
export function routeModel(options: RouteModelOptions): RoutedModel {
  const { id, routes: given } = options
  if (typeof id !== 'string' || id.trim() !== id || id === '')
    throw new TypeError(`id must be the public name of a model, not ${JSON.stringify(id)}.`)
  if (!Array.isArray(given) || given.length === 0)
    throw new TypeError(`routes of model ${id} must be a list of at least one { provider, model }.`)
  const [first, ...others] = given.map((route: RouteOptions, index) => checkedRoute(id, route, index))
  const { model: main } = first as CheckedRoute
  const checked = [first as CheckedRoute, ...others]
  const odd = others.find(({ model }) => model.outputKind !== main.outputKind)?.model
  if (odd)
    throw new TypeError(
      `routes of model ${id} must make the same: ${main.id} makes ${main.outputKind} outputs, ${odd.id} ${odd.outputKind} ones.`,
    )
  const names = checked.map(({ name }) => name)
  const twin = names.find((name, index) => name === '' || names.indexOf(name) < index)
  if (twin !== undefined)
    throw new TypeError(`routes of model ${id} must have a name each; two are ${JSON.stringify(twin)}.`)

  const input = options.input ?? main.input
  const takesAll = ({ model, mapInput }: CheckedRoute) => model.input === input && !mapInput
  const routes = checked.map((route): ModelRoute => {
    const { name, provider, model, mapInput = (task) => task } = route
    const inputOf = async (task: JsonObject) =>
      takesAll(route) ? task : validateInput(model, mapInput(task))
    return { name, provider, model: model.id, inputOf }
  })
  return {
    model: {
      id,
      outputKind: main.outputKind,
      input: checked.some(takesAll) ? input : takenBySome(input, routes),
      retentionDays: options.retentionDays ?? main.retentionDays,
      typicalMs: options.typicalMs ?? main.typicalMs,
    },
    routes,
  }
}

/** A route of which the provider, the model and the function are known to be there. */
interface CheckedRoute {
  readonly name: string
  readonly provider: Provider
  readonly model: Model
  readonly mapInput: RouteOptions['mapInput']
}

function checkedRoute(id: string, route: RouteOptions, index: number): CheckedRoute {
  const { provider, model, name = `${provider?.name}/${model}`, mapInput } = route
  const found = provider?.models?.find((candidate) => candidate.id === model)
  if (!found) {
    const known = provider?.models?.map((candidate) => candidate.id).join(', ') ?? 'no provider at all'
    throw new TypeError(
      `routes[${index}] of model ${id} must name a provider and one of its models (${known}), not ${JSON.stringify(model)}.`,
    )
  }
  if (mapInput !== undefined && typeof mapInput !== 'function')
    throw new TypeError(`routes[${index}] of model ${id}: mapInput must be a function from input to input.`)
  return { name, provider, model: found, mapInput }
}

/** The schema, which also refuses what none of the routes would take. */
function takenBySome(input: Model['input'], routes: readonly ModelRoute[]): Model['input'] {
  const standard = input['~standard']
  return {
    '~standard': {
      ...standard,
      async validate(value) {
        const result = await standard.validate(value)
        if (result.issues) return result
        const task = jsonCopy(result.value) as JsonObject
        let refusal: unknown
        for (const route of routes) {
          try {
            await route.inputOf(task)
            return result
          } catch (error) {
            refusal ??= error
          }
        }
        const param = refusal instanceof GenerationError ? refusal.param : undefined
        // What else is thrown is a fault of the app's own `mapInput`, and its words are not for clients.
        const told =
          refusal instanceof GenerationError ? refusal.message : 'The input does not fit the model.'
        return {
          issues: [{ message: told, path: param === undefined || param === 'input' ? [] : param.split('.') }],
        }
      },
    },
  }
}
