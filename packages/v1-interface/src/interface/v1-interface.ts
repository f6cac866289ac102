import { errorCodes, GenerationError, type GenerationService } from '@genmount/core'
import { Router } from 'itty-router'
import { requireBearer } from '../access/require-bearer.ts'
import { linkSigner } from '../outputs/link-signer.ts'
import { createGeneration } from '../routes/create-generation.ts'
import { getFile } from '../routes/get-file.ts'
import { getJob } from '../routes/get-job.ts'
import { getOutput } from '../routes/get-output.ts'
import { methodNotAllowed } from '../routes/method-not-allowed.ts'
import { receiveCallback } from '../routes/receive-callback.ts'
import { errorReply } from '../wire/error-reply.ts'
import type { Answer, Exchange } from './exchange.ts'
import { checkOptions, type V1Options } from './v1-options.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** Answers a request. Never rejects. */
export type V1Interface = (request: V1Request) => Promise<V1Reply>

/**
 * The /v1 interface over a generation service, for whoever can give it plain requests: the adapters are made of it.
 * @throws TypeError that names the option at fault
 * @example const answer = createV1Interface(service, { authenticate: apiKeys({ alice: 'a-long-random-key' }) })
 */
export function createV1Interface(service: GenerationService, options: V1Options): V1Interface {
  const context = { service, options: checkOptions(options) }
  const links = linkSigner(context.options.linkSecret)
  const router = Router<Exchange, []>({
    catch: (error: unknown, { requestId }) => refuse(error, requestId),
    finally: [finish],
  })

  const guards = [requireBearer(context), refuseEmptySegment]
  const serve = (method: 'GET' | 'POST', path: string, answer: Answer, before = guards) => {
    router[method === 'GET' ? 'get' : 'post'](path, ...before, answer)
    router.all(path, ...before, methodNotAllowed(method))
  }
  // In the order of how often they are asked for, which is the order in which the router tries them.
  serve('GET', '/v1/jobs/:id', getJob(context))
  serve('POST', '/v1/generate', createGeneration(context))
  serve('POST', '/v1/video/generations', createGeneration(context, 'video'))
  serve('POST', '/v1/images/generations', createGeneration(context, 'image'))
  serve('GET', '/v1/files/:id', getFile(context, links))
  serve('GET', '/v1/outputs/:token+', getOutput(context, links), [])
  serve('POST', '/v1/callbacks/:provider/:job/:token', receiveCallback(context), [])
  router.all('/v1/*', ...guards)
  router.all('*', routeNotFound)

  /** The router itself would overlook any number of slashes at the end. */
  function refuseEmptySegment({ request }: Exchange): void {
    if (request.path && /^[^?]*\/\//.test(request.path)) routeNotFound()
  }

  function routeNotFound(): never {
    throw new GenerationError('route_not_found', 'There is nothing at this path.')
  }

  function refuse(error: unknown, requestId: string): V1Reply {
    const isRefusal = error instanceof GenerationError && Object.hasOwn(errorCodes, error.code)
    const cause = isRefusal ? error.cause : error
    if (cause !== undefined) report(requestId, cause)
    return errorReply(
      isRefusal ? error : new GenerationError('internal_error', 'Something went wrong here.'),
      requestId,
    )
  }

  function report(requestId: string, cause: unknown): void {
    try {
      service.log.error(`Request ${requestId} met a fault on this side.`, cause)
    } catch {
      // A log that fails must not cost the client its answer.
    }
  }

  return (request) =>
    router.fetch({
      request,
      requestId: `req_${crypto.randomUUID()}`,
      method: request.method === 'HEAD' ? 'GET' : request.method,
      // Without the query: the router would parse it for every request, in quadratic time where a name is repeated.
      url: `http://host${request.path?.split('?', 1)[0] ?? ''}`,
      owner: '',
      baseUrl: '',
    })
}

function finish(reply: V1Reply, { request, requestId }: Exchange): V1Reply {
  reply.headers['x-request-id'] = requestId
  reply.headers['cache-control'] = 'no-store'
  if (request.method !== 'HEAD' || typeof reply.body !== 'string') return reply
  reply.headers['content-length'] = String(new TextEncoder().encode(reply.body).length)
  return { status: reply.status, headers: reply.headers }
}
