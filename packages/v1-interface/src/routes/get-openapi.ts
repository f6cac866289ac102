import { baseUrlOf } from '../interface/base-url.ts'
import type { Answer } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import type { OpenapiDocument } from '../interface/v1-options.ts'
import { perModels } from '../models/per-models.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/openapi.json: the interface with the models of this service, as an OpenAPI 3.1 document. */
export function getOpenapi({ service, models, options }: RouteContext, document: OpenapiDocument): Answer {
  // Only the address depends on the request, so the rest is kept.
  const rest = perModels(service.models, () =>
    JSON.stringify(document.fields(service, [...models().values()])).slice(1),
  )
  return async ({ request }) => {
    const servers = JSON.stringify([{ url: baseUrlOf(request, options) }])
    return jsonReply(`{"openapi":"3.1.0","servers":${servers},${rest()}`)
  }
}
