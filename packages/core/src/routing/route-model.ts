import type { JsonObject } from '../contracts/json.ts'
import type { Model, Provider } from '../contracts/provider.ts'
import { checkProvider, checkSchema } from '../contracts/check-contract.ts'
import { accepts, callable, count, listOf, optional, text } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isPriced, priceOf } from '../pricing/expected-usd.ts'
import type { Gate } from './gate.ts'
import { lastEnd } from './model-end.ts'
import { modelRoutes, type RoutesContext } from './model-routes.ts'
import { routeOrdering } from './route-ordering.ts'
import { type ModelRoute, type Routes, soleRoute } from './routes.ts'
import type { RouteOrder } from './route-order.ts'
import { jsonCopy } from '../text/json-values.ts'
import { validateInput } from '../input/validate-input.ts'

/** The options of one route: a provider that serves the model. */
export interface RouteOptions {
  /** The provider. */
  readonly provider: Provider
  /** The model id that this provider uses. */
  readonly model: string
  /**
   * The name of the route, unique within the model. It is stored in jobs, so keep it when you change the order of
   * routes. Without its route, a running job is polled as the provider's model, and a job whose submit was refused goes to
   * the first route.
   * @default the provider's name and its model, such as `fal/flux-dev`
   */
  readonly name?: string | undefined
  /**
   * Converts the public input to the input of this route, which the route's own schema then validates. It is called
   * again for each call to the provider, so it must return the same output for the same input. @default the public
   * input
   */
  readonly mapInput?: ((input: JsonObject) => Readonly<Record<string, unknown>>) | undefined
  /** How large the share of jobs is that `byWeight()` sends to this route, beside those of the others. @default 1 */
  readonly weight?: number | undefined
}

/** The options of {@link routeModel}. */
export interface RouteModelOptions {
  /** The id by which clients ask for the model, unique within a service. */
  readonly id: string
  /** The routes in the order of preference. All of them must make the same kind of output. */
  readonly routes: readonly RouteOptions[]
  /**
   * Orders the routes for each new job: `cheapestFirst()`, `fastestFirst()`, `byWeight()`, or a function of the app that knows
   * what an owner prefers. @default the order of `routes`
   */
  readonly order?: RouteOrder | undefined
  /** The schema of the public input. @default the schema of the first route's model */
  readonly input?: Model['input'] | undefined
  /** Whole days for which jobs and their outputs are kept. @default that of the first route's model */
  readonly retentionDays?: number | undefined
  /**
   * How long a job may take before it fails as `deadline_exceeded`, in milliseconds.
   * @default that of the first route's model, or the service's
   */
  readonly deadlineMs?: number | undefined
  /** How long a job usually takes, in milliseconds. @default that of the first route's model */
  readonly typicalMs?: number | undefined
}

/** A model that several providers serve. Put it into the `providers` of a service. */
export interface RoutedModel {
  /** The model that clients see. */
  readonly model: Model
  /** Its routes in the order of preference. */
  readonly routes: readonly ModelRoute[]
  /**
   * Connects the routes with the gates of their providers. The service calls it.
   * @internal
   */
  connected(gateOf: (provider: Provider) => Gate, context: RoutesContext): Routes
}

/** A route whose options have been checked. */
type CheckedRoute = ReturnType<typeof checkRoute>

const checkWeight = accepts<number>(
  'a number from 0, such as 3',
  (value) => typeof value === 'number' && value >= 0 && Number.isFinite(value),
)

const routeTable = {
  provider: checkProvider,
  model: text(),
  name: optional(text()),
  mapInput: optional(callable<NonNullable<RouteOptions['mapInput']>>()),
  weight: optional(checkWeight, 1),
} satisfies OptionTable<RouteOptions>

function checkRoute(at: string, route: unknown) {
  const { provider, model: id, mapInput, weight, ...rest } = checkOptions(at, route, routeTable)
  const { name = `${provider.name}/${id}` } = rest
  const model = provider.models.find((candidate) => candidate.id === id)
  if (model) return { name, provider, model, mapInput, weight }
  const modelIds = provider.models.map((candidate) => candidate.id).join(', ')
  throw new TypeError(`${at}.model must be one of the models of its provider (${modelIds}), not ${id}.`)
}

const table = {
  id: text(
    'the public name of a model, without spaces around it',
    (name) => name !== '' && name.trim() === name,
  ),
  routes: listOf('a list of routes { provider, model }', checkRoute),
  order: optional(callable<RouteOrder>()),
  input: optional(checkSchema),
  retentionDays: optional(count(1, 3650)),
  deadlineMs: optional(count()),
  typicalMs: optional(count(0)),
} satisfies OptionTable<RouteModelOptions>

/**
 * Makes one model that several providers serve, in order of preference. The next route is tried only when it is clear
 * that the provider of the route before has not taken the task on: it has refused the task, could not be reached, does
 * not accept the input or the account of this service, or gets no new jobs because it is in trouble. After a submit
 * with an unknown outcome, no other route is ever tried.
 * @throws TypeError that names the wrong option
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
  const { id, routes: checked, ...changes } = checkOptions('routeModel', options, table)
  const [first, ...others] = checked
  if (!first)
    throw new TypeError('routeModel: routes must be a list of at least one route { provider, model }.')
  const { model: main } = first
  const odd = others.find(({ model }) => model.outputKind !== main.outputKind)?.model
  if (odd)
    throw new TypeError(
      `routeModel: the routes of model ${id} must make one kind of output: ${main.id} makes ${main.outputKind} outputs, ${odd.id} ${odd.outputKind} outputs.`,
    )
  const names = checked.map(({ name }) => name)
  const twin = names.find((name, index) => names.indexOf(name) < index)
  if (twin !== undefined)
    throw new TypeError(
      `routeModel: the routes of model ${id} must have different names: ${JSON.stringify(twin)} is used twice.`,
    )

  const input = changes.input ?? main.input
  const takesAll = ({ model, mapInput }: CheckedRoute) => model.input === input && !mapInput
  const routes = checked.map((route): ModelRoute => {
    const { name, provider, model, mapInput = (task) => task } = route
    const inputOf = async (task: JsonObject) =>
      takesAll(route) ? task : validateInput(model, mapInput(task))
    return { name, provider, model: model.id, inputOf }
  })
  const offered = checked.map((route, index) => ({ ...route, inputOf: routes[index]!.inputOf }))
  const ordering = changes.order && routeOrdering(changes.order, offered)
  return {
    model: {
      id,
      outputKind: main.outputKind,
      description: main.description,
      input: checked.some(takesAll) ? input : takenBySome(input, routes),
      retentionDays: changes.retentionDays ?? main.retentionDays,
      deadlineMs: changes.deadlineMs ?? main.deadlineMs,
      typicalMs: changes.typicalMs ?? main.typicalMs,
      // A route that is AI makes the outputs of the model count as such.
      digitalSourceType: checked.every(({ model }) => model.digitalSourceType === main.digitalSourceType)
        ? main.digitalSourceType
        : undefined,
      end: lastEnd(checked.map(({ model }) => model)),
      // The routes may have different prices, and it is not known in advance which route makes a job.
      price: others.length === 0 ? main.price : undefined,
      expectedUsd:
        others.length === 0 ? main.expectedUsd : isPriced(main) ? priceOfFirst(checked, routes) : undefined,
      isCostKnown: checked.some(({ model }) => model.isCostKnown === false) ? false : undefined,
      unpricedInputs: checked.map(({ model }) => model.unpricedInputs).find((inputs) => inputs !== undefined),
    },
    routes,
    connected(gateOf, context) {
      const [sole, ...more] = routes.map((route) => ({ ...route, gate: gateOf(route.provider) }))
      return more.length === 0 ? soleRoute(sole!) : modelRoutes([sole!, ...more], context, ordering)
    },
  }
}

/** What a job costs by the first route that takes its input. */
function priceOfFirst(
  checked: readonly CheckedRoute[],
  routes: readonly ModelRoute[],
): NonNullable<Model['expectedUsd']> {
  return async (input) => {
    for (const [index, route] of routes.entries()) {
      const task = await Promise.resolve(route.inputOf(input)).catch(() => undefined)
      if (task) return priceOf(checked[index]!.model, task)
    }
    return undefined
  }
}

/** The public schema, extended so that it refuses an input that no route accepts. */
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
        // Any other error comes from the app's own `mapInput`, and its message is not for clients.
        const words =
          refusal instanceof GenerationError ? refusal.message : 'The input does not fit the model.'
        return {
          issues: [
            { message: words, path: param === undefined || param === 'input' ? [] : param.split('.') },
          ],
        }
      },
    },
  }
}
