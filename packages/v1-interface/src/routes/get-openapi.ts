import { baseUrlOf } from '../interface/base-url.ts'
import type { Answer, RouteContext } from '../interface/exchange.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/openapi.json: the interface with the models of this service, as an OpenAPI 3.1 document. */
export function getOpenapi({ service, models, options }: RouteContext): Answer {
  const isPublic = options.openapi === 'public'
  let rest: string | undefined
  return async ({ request }) => {
    if (rest === undefined) {
      // Few clients ask for the document, so its code is loaded with the first request for it.
      const { openapiDocument } = await import('../openapi/openapi-document.ts')
      // Only the address depends on the request, so the rest is made once.
      rest = JSON.stringify(openapiDocument([...models().values()], service, isPublic)).slice(1)
    }
    const servers = JSON.stringify([{ url: baseUrlOf(request, options) }])
    return jsonReply(`{"openapi":"3.1.0","servers":${servers},${rest}`)
  }
}
