import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/models: all models, as a list that the clients of OpenAI's API can read. */
export function listModels({ models }: RouteContext): Answer<OwnedExchange> {
  let made: readonly [models: ReturnType<typeof models>, body: string] | undefined
  return async () => {
    const now = models()
    if (made?.[0] !== now) made = [now, JSON.stringify({ object: 'list', data: [...now.values()] })]
    return jsonReply(made[1])
  }
}
