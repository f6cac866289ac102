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
import { type Check, listOf } from '../errors/check-option.ts'

/** The models of a service, and the routes to their providers. */
interface ModelCatalogue {
  /** It is read live: it changes in place when the models of a provider do. */
  readonly models: readonly Model[]
  /** Every provider once, including those that only routed models use. */
  readonly providers: readonly Provider[]
  /** The gate of each provider. */
  readonly gates: ReadonlyMap<Provider, Gate>
  /** The model that clients ask for by this id. */
  modelOf(id: string): Model | undefined
  /** Orders the routes of a model for a new job. @returns `undefined` for the order in which they are declared */
  orderRoutes: (...placed: Parameters<NonNullable<Routes['order']>>) => ReturnType<RouteOrdering> | undefined
  /**
   * The routes of an accepted job's model. For a job that was submitted, the routes among which its own is: if its model
   * has moved to another provider since, that is one route to the provider which got the submit.
   * @returns `undefined` when this process does not have the model or the provider
   */
  routesOf(job: Job): Routes | undefined
  /** Follows the providers whose models may change. @returns a function that ends it */
  followModels(): () => void
}

/** A model that clients can ask for, who serves it, and by which routes. */
interface Entry {
  readonly model: Model
  readonly by: string
  readonly routes: Routes
}

/**
 * Reads the `providers` of a service.
 * @throws TypeError when there is no model, or when two models have the same id
 */
export function modelCatalogue(
  providers: readonly (Provider | RoutedModel)[],
  clock: Clock,
  log: Log,
): ModelCatalogue {
  const gates = new Map<Provider, Gate>()
  const shortage = shortageWatch(clock, log)
  const models: Model[] = []
  let entries: ReadonlyMap<string, Entry> = new Map()
  /** Models that a provider has taken out of its list: their accepted jobs go on. */
  const retired = new Map<string, Entry>()

  function gateOf(provider: Provider): Gate {
    const existing = gates.get(provider)
    if (existing) return existing
    const gate = providerGate(provider, clock, log, shortage)
    gates.set(provider, gate)
    return gate
  }

  /**
   * Whether a routed model has this model's id and a route to the provider. Clients who ask for the id get the routed
   * model.
   */
  function isRouted(provider: Provider, { id }: Model): boolean {
    return providers.some(
      (routed) =>
        'routes' in routed &&
        routed.model.id === id &&
        routed.routes.some((route) => route.provider === provider),
    )
  }

  /** The one route to the provider that got the job's submit, after the job's model has moved to other providers. */
  function routesSince({ route: name, provider: submittedTo, model: id, providerModel: model = id }: Job) {
    const own = [...gates].filter(([provider]) => provider.name === submittedTo)
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

  const routed = providers.map((each) =>
    'routes' in each ? each.connected(gateOf, { clock, log }) : undefined,
  )

  /** What the providers serve now. @param refuse gets what is wrong with a model, which is then left out */
  function served(refuse: (fault: TypeError) => void): Map<string, Entry> {
    const next = new Map<string, Entry>()
    const add = (entry: Entry) => {
      const { by: other } = next.get(entry.model.id) ?? {}
      if (other === undefined) return void next.set(entry.model.id, entry)
      refuse(
        new TypeError(
          `createGenerationService: ${other} and ${entry.by} both serve the model ${entry.model.id}: leave one out, or join them with routeModel().`,
        ),
      )
    }
    for (const [index, provider] of providers.entries()) {
      const at = `providers[${index}]`
      const routes = routed[index]
      if ('routes' in provider) {
        add({ model: provider.model, by: `${at} (a routed model)`, routes: routes! })
        continue
      }
      const gate = gateOf(provider)
      for (const model of provider.models) {
        if (isRouted(provider, model)) continue
        const route = { provider, model: model.id, gate, inputOf }
        add({ model, by: `${at} (${provider.name})`, routes: soleRoute(route) })
      }
    }
    return next
  }

  function take(next: ReadonlyMap<string, Entry>): void {
    for (const [id, entry] of entries) if (!next.has(id)) retired.set(id, entry)
    entries = next
    models.splice(0, models.length, ...Array.from(next.values(), ({ model }) => model))
  }

  take(
    served((fault) => {
      throw fault
    }),
  )
  const following = [...gates.keys()].filter(({ followModels }) => followModels)
  if (entries.size === 0 && following.length === 0)
    throw new TypeError('createGenerationService: providers must serve at least one model.')
  return {
    models,
    providers: [...gates.keys()],
    gates,
    modelOf: (id) => entries.get(id)?.model,
    orderRoutes: (placed, medianMs) => entries.get(placed.model)?.routes.order?.(placed, medianMs),
    routesOf(job) {
      const { routes } = entries.get(job.model) ?? retired.get(job.model) ?? {}
      return job.phase === 'accepted' || routes?.of(job) ? routes : routesSince(job)
    },
    followModels() {
      const changed = () => take(served((fault) => log.warn(fault.message)))
      const ends = following.map((provider) => provider.followModels!(changed))
      return () => ends.forEach((end) => end())
    },
  }
}

const inputOf = (input: JsonObject): JsonObject => input

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
