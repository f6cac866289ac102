import { baseUrlOf } from '../interface/base-url.ts'
import type { Answer } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { OpenapiDocument } from '../interface/v1-options.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/openapi.json: the interface with the models of this service, as an OpenAPI 3.1 document. */
export function getOpenapi({ service, models, options }: RouteContext, document: OpenapiDocument): Answer {
  let made: readonly [models: ReturnType<typeof models>, rest: string] | undefined
  return async ({ request }) => {
    // Only the address depends on the request, so the rest is made once for each list of models.
    const now = models()
    if (made?.[0] !== now) made = [now, JSON.stringify(document.fields(service, [...now.values()])).slice(1)]
    const servers = JSON.stringify([{ url: baseUrlOf(request, options) }])
    return jsonReply(`{"openapi":"3.1.0","servers":${servers},${made[1]}`)
  }
}
