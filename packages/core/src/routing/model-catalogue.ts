import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import { validateInput } from '../input/validate-input.ts'
import type { Log } from '../contracts/log.ts'
import type { Model, Provider } from '../contracts/provider.ts'
import { type Gate, providerGate, shortageWatch } from './gate.ts'
import type { RoutedModel } from './route-model.ts'
import type { RouteOrdering } from './route-ordering.ts'
import { type Routes, soleRoute } from './routes.ts'
import { checkModel, checkProvider } from '../contracts/check-contract.ts'
import { accepts, type Check, listOf } from '../errors/check-option.ts'

/** The models of a service, and the routes to their providers. Its lists change in place when other models are offered. */
interface ModelCatalogue {
  readonly models: readonly Model[]
  /** The ids of models by their aliases. */
  readonly aliases: ReadonlyMap<string, string>
  /** Every provider once, including those that only routed models use, and those of models that are no longer offered. */
  readonly providers: readonly Provider[]
  /** The gate of each provider. */
  readonly gates: ReadonlyMap<Provider, Gate>
  /** The model that clients ask for by this id, or by an alias. */
  modelOf(id: string): Model | undefined
  /** Orders the routes of a model for a new job. @returns `undefined` for the order in which they are declared */
  orderRoutes: (...placed: Parameters<NonNullable<Routes['order']>>) => ReturnType<RouteOrdering> | undefined
  /**
   * The routes of an accepted job's model, also when it is no longer offered. For a job that was submitted, the routes among
   * which its own is: if its model has moved to another provider since, that is one route to the provider which got the submit.
   * @returns `undefined` when this process does not have the model or the provider
   */
  routesOf(job: Job): Routes | undefined
  /** See `GenerationService.offer`. */
  offer(providers: readonly Offered[], aliases?: ModelAliases): void
  /** Follows the providers whose models may change, also those that are offered later. @returns a function that ends it */
  followModels(): () => void
}

/** What a service offers: all models of a provider, or one model with routes. */
type Offered = Provider | RoutedModel

/** Further ids of models, such as `{ 'image-best': 'flux-2-pro' }`. */
export type ModelAliases = Readonly<Record<string, string>>

/** A model, and how its jobs are made. */
interface Entry {
  readonly model: Model
  /** Which option has it. */
  readonly by: string
  readonly routes: Routes
}

/**
 * Reads the `providers` of a service.
 * @throws TypeError when there is no model, when two models have the same id, or when an alias names no model
 */
export function modelCatalogue(
  providers: readonly Offered[],
  firstAliases: ModelAliases,
  clock: Clock,
  log: Log,
): ModelCatalogue {
  const gates = new Map<Provider, Gate>()
  const shortage = shortageWatch(clock, log)
  const models: Model[] = []
  const everyProvider: Provider[] = []
  let entries: ReadonlyMap<string, Entry> = new Map()
  /** The routes of models that were offered before. Their jobs go on. */
  const formerRoutes = new Map<string, Routes>()
  const aliases = new Map<string, string>()
  let offeredProviders: ReadonlySet<Provider> = new Set()
  let offers: readonly Offered[] = []
  const connected = new WeakMap<RoutedModel, Routes>()
  /** What ends the following of each provider. `undefined` while nobody follows. */
  let followed: Map<Provider, () => void> | undefined

  /** The one route to the provider that got the job's submit, after the job's model has moved to other providers. */
  function routesSince({ route: name, provider: submittedTo, model: id, providerModel: model = id }: Job) {
    const named = [...gates].filter(([provider]) => provider.name === submittedTo)
    const current = named.filter(([provider]) => offeredProviders.has(provider))
    const own = current.length > 0 ? current : named.slice(-1)
    const [entry] = own
    // If several providers have the name, it is unknown which of them has the task.
    if (!entry || own.length > 1) return undefined
    const [provider, gate] = entry
    if (name === undefined) return soleRoute({ provider, model, gate, inputOf })
    // The route's `mapInput` is gone. Its model may accept the input as it is.
    const checked = async (input: JsonObject) => {
      const offered = provider.models.find((each) => each.id === model)
      if (!offered) throw new Error(`Provider ${provider.name} has no model ${model}.`)
      return validateInput(offered, input)
    }
    return soleRoute({ name, provider, model, gate, inputOf: checked })
  }

  /** Whether another provider of its name is offered in its place, with a new key for example. */
  function isReplaced(provider: Provider): boolean {
    return !offeredProviders.has(provider) && [...offeredProviders].some(({ name }) => name === provider.name)
  }

  function offer(offered: readonly Offered[], newAliases: ModelAliases = Object.fromEntries(aliases)): void {
    const newGates = new Map<Provider, Gate>()
    const gateOf = (provider: Provider) => {
      const gate =
        gates.get(provider) ?? newGates.get(provider) ?? providerGate(provider, clock, log, shortage)
      newGates.set(provider, gate)
      return gate
    }
    const routesOf = (routed: RoutedModel) =>
      connected.get(routed) ?? routed.connected(gateOf, { clock, log })
    const next = entriesOf(offered, gateOf, routesOf, (fault) => {
      throw fault
    })
    const mayCome = [...newGates.keys()].some(({ followModels }) => followModels)
    if (next.size === 0 && !mayCome)
      throw new TypeError('createGenerationService: providers must serve at least one model.')
    checkAliases(newAliases, next, mayCome)
    // From here on nothing throws, so that what is wrong changes nothing.
    offers = offered
    aliases.clear()
    for (const [alias, id] of Object.entries(newAliases)) aliases.set(alias, id)
    offeredProviders = new Set(newGates.keys())
    for (const [provider, gate] of newGates) {
      if (!gates.has(provider)) everyProvider.push(provider)
      gates.set(provider, gate)
    }
    for (const each of offered) if ('routes' in each) connected.set(each, next.get(each.model.id)!.routes)
    take(next)
    follow()
  }

  function take(next: ReadonlyMap<string, Entry>): void {
    for (const [id, { routes }] of entries) formerRoutes.set(id, routes)
    entries = next
    models.splice(0, models.length, ...Array.from(next.values(), ({ model }) => model))
  }

  /** Takes over a list of models that a provider has changed. A model that others serve already is left out. */
  function changed(): void {
    const gateOf = (provider: Provider) => gates.get(provider)!
    const routesOf = (routed: RoutedModel) => connected.get(routed)!
    take(entriesOf(offers, gateOf, routesOf, (fault) => log.warn(fault.message)))
  }

  /** Calls a provider about its following. After an error its models stay as they are. */
  function attempt<Result>({ name: provider }: Provider, call: () => Result): Result | undefined {
    try {
      return call()
    } catch (cause) {
      log.error(`Provider ${provider} can't follow its models.`, { provider, cause })
      return undefined
    }
  }

  function follow(): void {
    for (const [provider, end] of followed ?? [])
      if (!offeredProviders.has(provider) && followed?.delete(provider)) attempt(provider, end)
    for (const provider of offeredProviders) {
      if (!followed || !provider.followModels || followed.has(provider)) continue
      followed.set(provider, attempt(provider, () => provider.followModels?.(changed)) ?? (() => {}))
    }
  }

  offer(providers, firstAliases)
  return {
    models,
    aliases,
    providers: everyProvider,
    gates,
    offer,
    modelOf: (id) => (entries.get(id) ?? entries.get(aliases.get(id) ?? ''))?.model,
    orderRoutes: (placed, medianMs) => entries.get(placed.model)?.routes.order?.(placed, medianMs),
    routesOf(job) {
      const routes = entries.get(job.model)?.routes ?? formerRoutes.get(job.model)
      if (job.phase === 'accepted') return routes
      const provider = routes?.of(job)?.provider
      return provider && !isReplaced(provider) ? routes : routesSince(job)
    },
    followModels() {
      followed = new Map()
      follow()
      return () => {
        for (const [provider, end] of followed ?? []) attempt(provider, end)
        followed = undefined
      }
    },
  }
}

/** Reads what is offered. @param refuse gets what is wrong with a model, which is left out if that does not throw */
function entriesOf(
  offered: readonly Offered[],
  gateOf: (provider: Provider) => Gate,
  routesOf: (routed: RoutedModel) => Routes,
  refuse: (fault: TypeError) => void,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()

  function add(model: Model, by: string, routes: Routes): void {
    const other = entries.get(model.id)?.by
    if (other === undefined) return void entries.set(model.id, { model, by, routes })
    const words = `createGenerationService: ${other} and ${by} both serve the model ${model.id}: leave one out, or join them with routeModel().`
    refuse(new TypeError(words))
  }

  /**
   * Whether a routed model has this model's id and a route to the provider. Clients who ask for the id get the routed
   * model.
   */
  function isRouted(provider: Provider, { id }: Model): boolean {
    return offered.some(
      (routed) =>
        'routes' in routed &&
        routed.model.id === id &&
        routed.routes.some((route) => route.provider === provider),
    )
  }

  for (const [index, provider] of offered.entries()) {
    const at = `providers[${index}]`
    if ('routes' in provider) {
      add(provider.model, `${at} (a routed model)`, routesOf(provider))
      continue
    }
    const gate = gateOf(provider)
    for (const model of provider.models) {
      if (isRouted(provider, model)) continue
      const route = { provider, model: model.id, gate, inputOf }
      add(model, `${at} (${provider.name})`, soleRoute(route))
    }
  }
  return entries
}

/** @param mayCome whether models may come that are not there yet */
function checkAliases(aliases: ModelAliases, entries: ReadonlyMap<string, Entry>, mayCome: boolean): void {
  for (const [alias, id] of Object.entries(aliases)) {
    if (entries.has(alias))
      throw new TypeError(`createGenerationService: aliases['${alias}'] is the id of a model.`)
    if (!entries.has(id) && !mayCome)
      throw new TypeError(
        `createGenerationService: aliases['${alias}'] must be the id of a model, not '${id}'.`,
      )
  }
}

const inputOf = (input: JsonObject): JsonObject => input

/** Checks the option `aliases` of a service. */
export const checkAliasTable = accepts<ModelAliases>(
  "an object such as { 'image-best': 'flux-2-pro' }",
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every((id) => typeof id === 'string'),
)

/** Checks the option `providers` of a service: a list of providers and of models that `routeModel` has made. */
export const checkProviders: Check<readonly (Provider | RoutedModel)[]> = listOf(
  'a list of providers such as [proceduralProvider()]',
  (name, value) => {
    if (!isRoutedModel(value)) return checkProvider(name, value)
    checkModel(`${name}.model`, value.model)
    return value
  },
)

function isRoutedModel(value: unknown): value is RoutedModel {
  return typeof value === 'object' && value !== null && 'routes' in value && 'model' in value
}
