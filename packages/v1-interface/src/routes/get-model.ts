import { GenerationError } from '@genmount/core'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import { decodedSegment } from '../interface/path-parts.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { errorReply } from '../wire/error-reply.ts'
import { jsonReply } from '../wire/json-reply.ts'

/** GET /v1/models/{id}: one model. Slashes in the id may be percent-encoded or not. */
export function getModel({ models }: RouteContext): Answer<OwnedExchange> {
  return async ({ params }) => {
    const model = models().get(decodedSegment((params['id'] ?? '').replace(/\/$/, '')) ?? '')
    if (model) return jsonReply(JSON.stringify(model))
    // In the body of a create, an unknown model is a mistake in the request (400). Here the model is the requested
    // resource.
    return errorReply(new GenerationError('model_not_found', 'There is no such model.'), {}, 404)
  }
}
