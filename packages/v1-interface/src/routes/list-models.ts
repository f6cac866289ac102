import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { perModels } from '../models/per-models.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/models: all models, as a list that the clients of OpenAI's API can read. */
export function listModels({ service, models }: RouteContext): Answer<OwnedExchange> {
  const body = perModels(service.models, () =>
    JSON.stringify({ object: 'list', data: [...models().values()] }),
  )
  return async () => jsonReply(body())
}
