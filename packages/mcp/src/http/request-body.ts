import { bodyOf } from '@genmount/fetch-handler'
import type { V1Body } from '@genmount/v1-interface'

/** The bodies of requests that a host reads better than through the stream of a web Request. */
const bodies = new WeakMap<Request, () => V1Body>()

/** Makes `requestBody` return this body for the request. */
export function setRequestBody(request: Request, body: () => V1Body): void {
  bodies.set(request, body)
}

/** The body of a request, to be read piece by piece, or its value if the app has read it already. */
export function requestBody(request: Request): V1Body {
  return bodies.get(request)?.() ?? bodyOf(request)
}
