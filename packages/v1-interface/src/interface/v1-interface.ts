import {
  accountCallbackPath,
  callbackPath,
  type GenerationError,
  type GenerationService,
  inputPath,
} from '@genmount/core'
import { accessOf, type AccessOptions } from '../access/access-options.ts'
import type { CorsPolicy } from '../access/cors-policy.ts'
import { bodyBudgets } from '../body/read-body.ts'
import { downloadPlaces } from '../outputs/download-places.ts'
import { shownModels } from '../models/shown-models.ts'
import { linkSigner } from '../outputs/link-signer.ts'
import { outputLinks } from '../outputs/output-links.ts'
import { cancelJob } from '../routes/cancel-job.ts'
import { createGeneration } from '../routes/create-generation.ts'
import { createUpload } from '../routes/create-upload.ts'
import { deleteJob } from '../routes/delete-job.ts'
import { getEvents } from '../routes/get-events.ts'
import { deleteUpload } from '../routes/delete-upload.ts'
import { getFile } from '../routes/get-file.ts'
import { getInput } from '../routes/get-input.ts'
import { getJob } from '../routes/get-job.ts'
import { getModel } from '../routes/get-model.ts'
import { getOpenapi } from '../routes/get-openapi.ts'
import { getOutput } from '../routes/get-output.ts'
import { listJobs } from '../routes/list-jobs.ts'
import { listModels } from '../routes/list-models.ts'
import { pluginRoutes } from '../routes/plugin-routes.ts'
import { methodNotAllowed } from '../routes/method-not-allowed.ts'
import { callbackReceivers } from '../routes/receive-callback.ts'
import { errorReply, newRequestId, refusalOf } from '../wire/error-reply.ts'
import { type CheckedV1Options, checkV1Options, settingsIn } from './check-v1-options.ts'
import type { Exchange } from './exchange.ts'
import { keyedRoutes, type RouteAnswers } from './keyed-routes.ts'
import { noSuchRoute, v1Path } from './base-url.ts'
import { mountableIn } from './mountable-interface.ts'
import { type PathRoute, pathRoutes } from './path-routes.ts'
import type { V1Options } from './v1-options.ts'
import type { V1Reply, V1Request } from './v1-request.ts'

/** The /v1 interface with the option `interfaces`, as a function. */
export interface V1Interface<Host extends object = object> {
  /** Answers one request. Never rejects: every refusal and every error is a reply. */
  (request: V1Request<Host>): Promise<V1Reply>
  /**
   * The `path` of a request: as `v1Path` returns it, also for the paths of the option `interfaces`.
   * @param target the request target, such as `/media/v1/jobs/gen_1?a=b`
   * @param mountPath `''` or a path such as `/media`
   * @returns `undefined` for a path that belongs to none of the interfaces
   */
  readonly pathOf: (target: string, mountPath: string) => string | undefined
}

/**
 * The /v1 interface over a generation service, as plain requests and replies. The adapters for node:http,
 * Express and fetch are built on it; use it to write an adapter for another host.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example const answer = createV1Interface(service, { authenticate: apiKeys({ alice: process.env.ALICE_KEY }) })
 */
export function createV1Interface<Host extends object>(
  service: GenerationService,
  options: V1Options<Host>,
): V1Interface<Host> {
  return v1InterfaceOf(service, checkV1Options('createV1Interface', service, options))
}

/**
 * The same with options that are checked already. An adapter uses it, so that the errors of its options have its own
 * name.
 * @example
 * const toMyHandler = (service, options) => {
 *   const [mountPath, checked] = checkMountedOptions('toMyHandler', service, options)
 *   const answer = v1InterfaceOf(service, checked)
 * }
 */
export function v1InterfaceOf<Host extends object>(
  service: GenerationService,
  options: CheckedV1Options<Host>,
): V1Interface<Host> {
  const checked = settingsIn(options)
  const context = {
    service,
    models: shownModels(service),
    options: { ...checked, ...accessOf(checked as AccessOptions<never>) },
    bodiesOf: bodyBudgets(checked.maxBodiesBytes, checked.maxBodyBytes),
    downloads: downloadPlaces(checked.maxDownloads, checked.maxDownloadsPerOwner),
  }
  const links = linkSigner(checked.linkSecret)
  const linkTo = outputLinks(service, links, context.options)
  const interfaces = checked.interfaces.map(mountableIn)
  const { cors } = checked

  const refuse = refusing(errorReply)
  const { withKey, withKeyOf } = keyedRoutes(context, refuse)
  const withoutKey = (path: string, answers: RouteAnswers<Exchange>): PathRoute => ({
    path,
    answers,
    otherwise: methodNotAllowed(Object.keys(answers)),
    refuse,
  })
  function documentRoutes(): PathRoute[] {
    const { openapi } = checked
    if (!openapi) return []
    const withOrWithout = openapi.access === 'public' ? withoutKey : withKey
    return [withOrWithout('/v1/openapi.json', { GET: getOpenapi(context, openapi) })]
  }
  function uploadRoutes({ uploads }: GenerationService): PathRoute[] {
    if (!uploads) return []
    return [
      withKey('/v1/uploads', { POST: createUpload(context, uploads) }),
      withKey('/v1/uploads/:id', { DELETE: deleteUpload(uploads) }),
      withoutKey(inputPath, { GET: getInput(context, uploads) }),
    ]
  }
  function callbackRoutes({ receiveCallback, receiveAccountCallback }: GenerationService): PathRoute[] {
    if (!receiveCallback || !receiveAccountCallback) return []
    const { ofJob, ofAccount } = callbackReceivers(context, { receiveCallback, receiveAccountCallback })
    return [withoutKey(callbackPath, { POST: ofJob }), withoutKey(accountCallbackPath, { POST: ofAccount })]
  }
  const ofPlugins = pluginRoutes(context)
  const routes: readonly PathRoute[] = [
    // The paths that clients request most often come first, because the routes are tried in this order.
    withKey('/v1/jobs/:id', { GET: getJob(context), DELETE: deleteJob(context) }),
    withKey('/v1/generate', { POST: createGeneration(context) }),
    withKey('/v1/video/generations', { POST: createGeneration(context, 'video') }),
    withKey('/v1/images/generations', { POST: createGeneration(context, 'image') }),
    withKey('/v1/files/:id', { GET: getFile(context, linkTo) }),
    withKey('/v1/models', { GET: listModels(context) }),
    withKey('/v1/models/:id+', { GET: getModel(context) }),
    ...documentRoutes(),
    withKey('/v1/jobs', { GET: listJobs(context) }),
    withoutKey('/v1/outputs/:token+', { GET: getOutput(context, links) }),
    withKey('/v1/jobs/:id/cancel', { POST: cancelJob(context) }),
    withKey('/v1/jobs/:id/events', { GET: getEvents(context) }),
    ...callbackRoutes(service),
    ...uploadRoutes(service),
    ...ofPlugins.map(({ path, answers, keys }) =>
      keys ? withKeyOf(keys, path, answers) : withKey(path, answers),
    ),
    // What is below a path with keys of its own is nothing that other keys open.
    ...ofPlugins.flatMap(({ path, keys }) => (keys ? [withKeyOf(keys, `${path}/*`, {})] : [])),
    withKey('/v1/*', {}),
    ...interfaces.flatMap((further) => further.routesAt({ context, linkTo, refusing })),
  ]
  const answerTo = pathRoutes(routes, finish)

  /** Makes the function that turns an error into a reply, and logs what is a fault of this service. */
  function refusing(replyTo: (error: GenerationError) => V1Reply): (error: unknown) => V1Reply {
    return (error) => refuseWith(replyTo, error)
  }

  function refuseWith(replyTo: (error: GenerationError) => V1Reply, error: unknown): V1Reply {
    const { refusal, cause } = refusalOf(error)
    const reply = replyTo(refusal)
    finish(reply)
    if (cause !== undefined) report(reply.headers['x-request-id'], cause)
    return reply
  }

  function report(requestId: string | undefined, cause: unknown): void {
    try {
      service.log.error(`Request ${requestId} failed because of a fault in this service.`, {
        request: requestId,
        cause,
      })
    } catch {
      // An error of the log must not cost the client its answer.
    }
  }

  const respond = (request: V1Request) => answerTo(request) ?? Promise.resolve(refuse(noSuchRoute(request)))

  async function respondToPages(policy: CorsPolicy, request: V1Request): Promise<V1Reply> {
    const preflight = policy.preflight(request)
    const reply = preflight ? finish(preflight) : await respond(request)
    return policy.mark(request, reply, checked.credentials === 'any')
  }

  const answer = (request: V1Request): Promise<V1Reply> => {
    const reply = cors ? respondToPages(cors, request) : respond(request)
    return request.method === 'HEAD' ? reply.then(withoutBody) : reply
  }
  const roots = interfaces.map(({ path }) => path)
  return Object.assign(answer, {
    pathOf: (target: string, mountPath: string) => v1Path(target, mountPath, roots),
  })
}

function finish(reply: V1Reply): V1Reply {
  reply.headers['x-request-id'] ??= newRequestId()
  reply.headers['cache-control'] ??= 'no-store'
  return reply
}

function withoutBody({ status, headers, body }: V1Reply): V1Reply {
  if (typeof body === 'string') headers['content-length'] = String(new TextEncoder().encode(body).length)
  return { status, headers }
}
