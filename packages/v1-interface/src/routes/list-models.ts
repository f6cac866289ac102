import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/models: all models, as a list that the clients of OpenAI's API can read. */
export function listModels({ models }: RouteContext): Answer<OwnedExchange> {
  let body: string | undefined
  return async () => {
    body ??= JSON.stringify({ object: 'list', data: [...models().values()] })
    return jsonReply(body)
  }
}
