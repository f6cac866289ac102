import type { GenerationService } from '@genmount/core'
import {
  checkMountPath,
  createV1Interface,
  v1Path,
  type MountedV1Options,
  type V1Reply,
  type V1Request,
} from '@genmount/v1-interface'
import { bodyOf } from './body-of.ts'

/** Answers every request, with 404 `route_not_found` outside of `mountPath`. Never rejects. */
export type FetchHandler = (request: Request, ...rest: unknown[]) => Promise<Response>

/**
 * The /v1 interface as a fetch handler, for Deno, Bun, workers, Hono and Next route handlers. What a host passes beside
 * the request is not looked at.
 * @throws TypeError that names the option at fault
 * @example Deno.serve(toFetchHandler(service, { authenticate: apiKeys({ alice: Deno.env.get('ALICE_KEY') }) }))
 */
export function toFetchHandler(service: GenerationService, options: MountedV1Options): FetchHandler {
  const answer = createV1Interface(service, options)
  const mountPath = checkMountPath(options.mountPath)

  return async (request) => toResponse(await answer(toV1Request(request, mountPath)))
}

function toV1Request(request: Request, mountPath: string): V1Request {
  const { method, url, headers } = request
  return {
    method,
    path: v1Path(url.slice(url.indexOf('/', url.indexOf('://') + 3)), mountPath),
    mountPath,
    scheme: url.startsWith('https:') ? 'https' : 'http',
    // The URL of an absolute-form request names whatever host its sender liked; a request made in-process has no header.
    header: (name) => headers.get(name) ?? (name === 'host' ? new URL(url).host : undefined),
    headers: () => Object.fromEntries(headers),
    body: () => bodyOf(request),
    onLeave: (leave) => {
      // Read here and not before: on Deno, touching the signal costs a third of a request.
      const { signal } = request
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      return () => signal.removeEventListener('abort', leave)
    },
  }
}

function toResponse({ status, headers, body }: V1Reply): Response {
  return new Response(body ?? null, { status, headers })
}
