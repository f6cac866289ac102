import { callbackPath, errorCodes, GenerationError, type GenerationService } from '@genmount/core'
import { Router } from 'itty-router'
import { requireBearer } from '../access/require-bearer.ts'
import { bodyBudgets } from '../body/body-budget.ts'
import { downloadPlaces } from '../outputs/download-places.ts'
import { linkSigner } from '../outputs/link-signer.ts'
import { createGeneration } from '../routes/create-generation.ts'
import { getFile } from '../routes/get-file.ts'
import { getJob } from '../routes/get-job.ts'
import { getOutput } from '../routes/get-output.ts'
import { methodNotAllowed } from '../routes/method-not-allowed.ts'
import { receiveCallback } from '../routes/receive-callback.ts'
import { errorReply, newRequestId } from '../wire/error-reply.ts'
import type { Answer, Exchange } from './exchange.ts'
import { checkOptions, type V1Options } from './v1-options.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** What itty-router makes of a path, here with the one handler that each of ours has. */
type RouteEntry = readonly [method: string, pattern: RegExp, handlers: readonly [Answer], path: string]

/** Answers a request. Never rejects. */
export type V1Interface = (request: V1Request) => Promise<V1Reply>

/**
 * The /v1 interface over a generation service, for whoever can give it plain requests: the adapters are made of it.
 * @throws TypeError that names the option at fault
 * @example const answer = createV1Interface(service, { authenticate: apiKeys({ alice: 'a-long-random-key' }) })
 */
export function createV1Interface(service: GenerationService, options: V1Options): V1Interface {
  const checked = checkOptions(options)
  const context = {
    service,
    options: checked,
    bodiesOf: bodyBudgets(checked.maxBodiesBytes, checked.maxBodyBytes),
    downloads: downloadPlaces(checked.maxDownloads, checked.maxDownloadsPerOwner),
  }
  const links = linkSigner(checked.linkSecret)
  const router = Router<Exchange, []>()

  const guarded = (answer: Answer) => requireBearer(context, refuseEmptySegment(answer))
  const unguarded = (answer: Answer) => answer
  const serve = (method: 'GET' | 'POST', path: string, answer: Answer, access = guarded) => {
    router[method === 'GET' ? 'get' : 'post'](path, access(answer))
    router.all(path, access(methodNotAllowed(method)))
  }
  // In the order of how often they are asked for, which is the order in which they are tried.
  serve('GET', '/v1/jobs/:id', getJob(context))
  serve('POST', '/v1/generate', createGeneration(context))
  serve('POST', '/v1/video/generations', createGeneration(context, 'video'))
  serve('POST', '/v1/images/generations', createGeneration(context, 'image'))
  serve('GET', '/v1/files/:id', getFile(context, links))
  serve('GET', '/v1/outputs/:token+', getOutput(context, links), unguarded)
  serve('POST', callbackPath, receiveCallback(context), unguarded)
  router.all('/v1/*', guarded(routeNotFound))
  const routes = router.routes as unknown as readonly RouteEntry[]

  /**
   * Walks the router's table itself: `router.fetch` makes a URL and a query of each request, which takes a quarter of
   * a GET, and keeps them for as long as the answer takes.
   */
  function answerTo(request: V1Request): Promise<V1Reply> {
    const { path: target = '' } = request
    const queryAt = target.indexOf('?')
    const path = queryAt < 0 ? target : target.slice(0, queryAt)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    for (const [served, pattern, [answer], route] of routes) {
      if (served !== method && served !== 'ALL') continue
      const match = pattern.exec(path)
      if (match) return answer({ request, path, route, params: match.groups ?? {}, owner: '', baseUrl: '' })
    }
    return routeNotFound()
  }

  function refuse(error: unknown): V1Reply {
    const isRefusal = error instanceof GenerationError && Object.hasOwn(errorCodes, error.code)
    // The log keeps faults of stores together, which a store that is away has with every request.
    const isOfStore = isRefusal && error.code === 'store_unavailable'
    const cause = isRefusal && !isOfStore ? error.cause : error
    const reply = errorReply(
      isRefusal ? error : new GenerationError('internal_error', 'Something went wrong here.'),
    )
    if (cause !== undefined) report(reply.headers['x-request-id'], cause)
    return finish(reply)
  }

  function report(requestId: string | undefined, cause: unknown): void {
    try {
      service.log.error(`Request ${requestId} met a fault on this side.`, cause)
    } catch {
      // A log that fails must not cost the client its answer.
    }
  }

  return (request) => {
    const reply = answerTo(request).then(finish, refuse)
    return request.method === 'HEAD' ? reply.then(withoutBody) : reply
  }
}

/** The router itself would overlook any number of slashes at the end. */
function refuseEmptySegment(answer: Answer): Answer {
  return (exchange) => (exchange.path.includes('//') ? routeNotFound() : answer(exchange))
}

async function routeNotFound(): Promise<never> {
  throw new GenerationError('route_not_found', 'There is nothing at this path.')
}

function finish(reply: V1Reply): V1Reply {
  reply.headers['x-request-id'] ??= newRequestId()
  reply.headers['cache-control'] = 'no-store'
  return reply
}

function withoutBody({ status, headers, body }: V1Reply): V1Reply {
  if (typeof body === 'string') headers['content-length'] = String(new TextEncoder().encode(body).length)
  return { status, headers }
}
