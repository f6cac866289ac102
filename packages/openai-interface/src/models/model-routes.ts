import {
  GenerationError,
  type GenerationService,
  hasEnded,
  type Model,
  type OutputKind,
} from '@genmount/core'
import type { FurtherRoute } from '@genmount/v1-interface'
import { type RequestFields, textField } from '../input/request-fields.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** The models of a service under the names by which clients ask for them. */
export interface NamedModels {
  /** The model of a request. @throws GenerationError `missing_field`, `model_not_found` or `wrong_output_kind` */
  modelOf(fields: RequestFields, outputKind: OutputKind): Model
  /** The routes `GET models` and `GET models/{id}`. */
  readonly routes: readonly FurtherRoute[]
}

/** Finds models by their ids and by the aliases of the service. */
export function namedModels({
  models,
  aliases,
  clock,
}: Pick<GenerationService, 'models' | 'aliases' | 'clock'>): NamedModels {
  const ofId = (id: string | undefined) => models.find((model) => model.id === id)
  const named = (name: string) => ofId(name) ?? ofId(aliases.get(name))
  const names = () => {
    const now = clock.now()
    const isServed = (name: string) => {
      const model = named(name)
      return model !== undefined && !hasEnded(model, now)
    }
    return [...new Set([...models.map(({ id }) => id), ...aliases.keys()])].filter(isServed)
  }

  return {
    modelOf(fields, outputKind) {
      const id = textField(fields, 'model')
      if (id === undefined)
        throw new GenerationError(
          'missing_field',
          'model is missing. It must name the model that makes the job.',
          {
            param: 'model',
          },
        )
      const model = named(id)
      if (!model) throw noSuchModel(id)
      if (model.outputKind === outputKind) return model
      const message = `The model ${id} makes ${model.outputKind}s; this path makes ${outputKind}s.`
      throw new GenerationError('wrong_output_kind', message, { param: 'model' })
    },
    routes: [
      {
        path: '/models',
        answers: {
          GET: async () => jsonReply({ object: 'list', data: names().map(modelObject) }),
        },
      },
      {
        path: '/models/:id+',
        answers: {
          async GET({ params }) {
            const id = decoded(params['id'] ?? '')
            if (!named(id)) throw noSuchModel(id)
            return jsonReply(modelObject(id))
          },
        },
      },
    ],
  }
}

/** `created` and `owned_by` have no meaning here. */
function modelObject(id: string) {
  return { id, object: 'model', created: 0, owned_by: 'system' }
}

function noSuchModel(id: string): GenerationError {
  const message = `The model ${JSON.stringify(id.slice(0, 100))} does not exist or you do not have access to it.`
  return new GenerationError('model_not_found', message, { param: 'model' })
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
