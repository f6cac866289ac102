import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Model } from '../contracts/provider.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { checkMetadata, checkTexts } from '../input/validate-input.ts'
import { checkNotEnded } from '../routing/model-end.ts'
import type { RoutedOrder } from '../routing/route-order.ts'
import type { OrderedRoutes } from '../routing/route-ordering.ts'
import type { CreateCalls } from '../plugins/create-calls.ts'
import { type JobRequest, type ValidatedInput, validatedInput } from './job-request.ts'

/** Orders the routes of the order's model for a new job. @returns `undefined` for the order in which they are declared */
export type OrderRoutes = (order: RoutedOrder) => Promise<OrderedRoutes | undefined> | undefined

/** What {@link requestReader} works with. */
export interface RequestContext {
  readonly models: readonly Model[]
  readonly modelOf: (id: string) => Model | undefined
  readonly clock: Clock
  readonly orderRoutes: OrderRoutes
  readonly plugins: Pick<CreateCalls, 'resolveInput' | 'separated' | 'webhookOf'>
}

/** What a valid request orders. */
export interface ValidOrder extends ValidatedInput {
  /** The model, with the price of the route that is tried first. */
  readonly model: Model
  /** The order of the model's routes for the job. `undefined` when it has none of its own. */
  readonly ordered?: OrderedRoutes | undefined
  readonly metadata: Job['metadata'] | undefined
  readonly webhook: Job['webhook'] | undefined
}

/** Reads requests for new jobs. It changes nothing. */
export interface RequestReader {
  /** @throws GenerationError `model_not_found` or `wrong_output_kind` */
  modelOf(request: Pick<JobRequest, 'model' | 'outputKind'>): Model
  /** @throws GenerationError that says what is wrong with the request */
  validOrder(request: JobRequest): ValidOrder | Promise<ValidOrder>
}

/** How many models the message names when a client asks for a model that does not exist. */
const maxNamedModels = 20

/** Makes the reader of a service. */
export function requestReader({
  models,
  modelOf: find,
  clock,
  orderRoutes,
  plugins,
}: RequestContext): RequestReader {
  function modelOf({ model: id, outputKind }: Pick<JobRequest, 'model' | 'outputKind'>): Model {
    const model = find(id)
    if (!model) throw new GenerationError('model_not_found', noSuchModel(id), { param: 'model' })
    checkNotEnded(model, clock.now())
    if (outputKind === undefined || model.outputKind === outputKind) return model
    const message = `The model ${model.id} makes ${model.outputKind} outputs; this endpoint makes ${outputKind} outputs.`
    throw new GenerationError('wrong_output_kind', message, { param: 'model' })
  }

  function noSuchModel(id: string): string {
    const modelIds = models.map((model) => model.id)
    const more = modelIds.length > maxNamedModels ? ' and others' : ''
    return `There is no model ${JSON.stringify(id.slice(0, 100))}. The models are: ${modelIds.slice(0, maxNamedModels).join(', ')}${more}.`
  }

  return {
    modelOf,
    validOrder(request) {
      const { input: sent, fields } = plugins.separated(request.input)
      const model = modelOf(request)
      const metadata = checkMetadata(request.metadata)
      const webhook = fields && plugins.webhookOf(fields)
      const complete = ({ input, ...life }: ValidatedInput): ValidOrder | Promise<ValidOrder> => {
        checkTexts(input)
        const { owner, keyId } = request
        const order = { model, metadata, webhook, input, ...life }
        const ordering = orderRoutes({ owner, keyId, model: model.id, input, metadata })
        return ordering
          ? ordering.then((ordered) => ({ ...order, model: pricedBy(model, ordered), ordered }))
          : order
      }
      const validated = validatedInput(model, request.owner, sent, plugins)
      return validated instanceof Promise ? validated.then(complete) : complete(validated)
    },
  }
}

/** The model with the price of the route that is tried first. */
function pricedBy(model: Model, ordered: OrderedRoutes | undefined): Model {
  return ordered?.usd === undefined ? model : { ...model, expectedUsd: async () => ordered.usd }
}
