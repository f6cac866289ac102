import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'

/** GET /v1/models: all models, as a list that the clients of OpenAI's API can read. */
export function listModels({ models }: RouteContext): Answer<OwnedExchange> {
  let body: string | undefined
  return async () => {
    body ??= JSON.stringify({ object: 'list', data: [...models().values()] })
    return { status: 200, headers: { 'content-type': 'application/json' }, body }
  }
}
