import {
  accepts,
  checkKeyId,
  GenerationError,
  text,
  type GenerationService,
  type RequestQuota,
  type RouteKeys,
} from '@genmount/core'
import type { Identity } from './access-options.ts'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { baseUrlOf } from '../interface/base-url.ts'
import { bearerToken } from './api-keys.ts'
import type { RouteOptions } from '../interface/check-v1-options.ts'
import type { V1Request, V1Reply } from '../interface/v1-request.ts'

const checkIdentity = accepts<Identity>(
  '{ owner }, or null for a wrong key',
  (value) => typeof value === 'object',
)
const checkOwner = text('the name of an owner')

/**
 * Identifies the owner of a request before it passes the request to `answer`.
 * @returns an answer that rejects with `missing_api_key`, `invalid_api_key` or `origin_not_allowed` for a request
 * without a valid owner
 */
export function requireOwner({ options, service }: RouteContext, answer: Answer<OwnedExchange>): Answer {
  const needsBearer = options.credentials === 'bearer'

  return async ({ request, path, route, params }) => {
    if (!needsBearer) refuseOtherOrigins(request, options)
    const token = tokenOf(request)
    if (token === undefined && needsBearer) throw missingApiKey('Send')
    // This always awaits, even without a promise: during that time node:http parses a body that arrived with the
    // headers, which can then be read at once.
    const identity = await options.authenticate(token, request)
    if (!identity) throw token === undefined ? missingApiKey('Sign in, or send') : invalidApiKey()
    const owner = ownerIn('authenticate', identity)
    noteSender(request.fromHost, { owner, service })
    const keyId = keyIdOf(identity, token, options)
    return answer({ request, path, route, params, owner, keyId, baseUrl: baseUrlOf(request, options) })
  }
}

/**
 * Identifies who sends a request to a route that has keys of its own, before it passes the request to `answer`.
 * @returns an answer that rejects with `missing_api_key`, `invalid_api_key`, or `operator_only` for the key of a client
 */
export function requireKeyOf(
  keys: RouteKeys,
  { options }: Pick<RouteContext, 'options'>,
  answer: Answer<OwnedExchange>,
): Answer {
  return async ({ request, path, route, params }) => {
    const token = tokenOf(request)
    if (token === undefined) throw missingApiKey('Send')
    const holder = await keys(token)
    if (!holder) throw (await options.authenticate(token, request)) ? operatorOnly() : invalidApiKey()
    const owner = ownerIn('authenticate of the route', holder)
    return answer({
      request,
      path,
      route,
      params,
      owner,
      keyId: undefined,
      baseUrl: baseUrlOf(request, options),
    })
  }
}

/** The bearer token of a request. `undefined` when it has none. @throws GenerationError for one that can't be a token */
function tokenOf(request: V1Request): string | undefined {
  const bearer = bearerToken(request.header('authorization'))
  if (bearer === 'malformed') throw invalidApiKey()
  return bearer === 'missing' ? undefined : bearer.token
}

function ownerIn(source: string, identity: unknown): string {
  return checkOwner(
    `the owner that ${source} returns`,
    checkIdentity(`what ${source} returns`, identity).owner,
  )
}

/** The id of the key that the ledger counts by, and that `isKeyValid` gets. It is stored, so it must not be the key. */
function keyIdOf(
  { keyId }: Identity,
  token: string | undefined,
  { isKeyValid }: RouteOptions,
): string | undefined {
  if ((keyId ?? undefined) === undefined) {
    if (!isKeyValid) return undefined
    throw new Error('authenticate must give a keyId, because isKeyValid is set.')
  }
  if (keyId === token) throw new Error('The keyId that authenticate returns must not be the key itself.')
  return checkKeyId('the keyId that authenticate returns', keyId)
}

function invalidApiKey(): GenerationError {
  return new GenerationError('invalid_api_key', 'This API key is not valid.')
}

function operatorOnly(): GenerationError {
  return new GenerationError('operator_only', 'This path is for operators of the service.')
}

function missingApiKey(whatToDo: string): GenerationError {
  return new GenerationError(
    'missing_api_key',
    `${whatToDo} your API key as "Authorization: Bearer <API_KEY>".`,
  )
}

/** Who sent a request, and to which service. */
export interface Sender {
  /** The owner of the request's key. */
  readonly owner: string
  /** The service behind the interface that got the request. */
  readonly service: GenerationService
}

/** The requests of this process whose sender its code wants to know, with the sender once it is known. */
const senders = new WeakMap<object, Sender | undefined>()

/**
 * Makes the interface note the sender of a request that code of this process is about to send to it, so that this code
 * can count by owners as the interface does, and wait for the owner's jobs as it does.
 * @param request the request as its host passes it on, such as a web Request. A copy of it is another request
 * @returns a function that returns the sender. `undefined` before the request has passed the check of its key, and when
 * it never reached an interface of this process in this form
 */
export function senderOfRequest(request: object): () => Sender | undefined {
  senders.set(request, undefined)
  return () => senders.get(request)
}

/** Notes the sender of a request for {@link senderOfRequest}. */
function noteSender(fromHost: object | undefined, sender: Sender): void {
  const request = (fromHost as { readonly request?: object } | undefined)?.request
  if (request && senders.has(request)) senders.set(request, sender)
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses a request that changes something and that a page of another origin has sent, unless the option `cors` lists
 * this origin. A browser sends the cookies of its user with such a request, without the user's knowledge (CSRF). The
 * rule is that of Go's `http.CrossOriginProtection`: the browser's `Sec-Fetch-Site` decides. An older browser sends
 * only `Origin`, which must then name the host of this service. A request without both headers does not come from a
 * browser.
 * @throws GenerationError `origin_not_allowed`
 */
function refuseOtherOrigins(request: V1Request, options: RouteOptions): void {
  if (safeMethods.has(request.method)) return
  const site = request.header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = request.header('origin')
  if (origin === undefined && site === undefined) return
  if (origin !== undefined && options.cors?.origins.includes(origin)) return
  if (origin !== undefined && site === undefined && isOwn(origin, baseUrlOf(request, options))) return
  const message = 'A page of this origin may not do that. The app can list the origin in cors.'
  throw new GenerationError('origin_not_allowed', message, { param: 'Origin' })
}

/** The scheme is not compared, because behind a proxy that ends TLS the service sees http and the page https. */
function isOwn(origin: string, baseUrl: string): boolean {
  return URL.parse(origin)?.host === URL.parse(baseUrl)?.host
}

/**
 * Counts the requests of each owner before they reach the answer. Once an owner has sent too many, the answer is 429
 * `rate_limit_exceeded`, and no body is read. Every reply has headers with the number of requests that are left.
 * @param refuse the reply to a request that has failed with this error
 * @returns the answer with its count; the same answer when the service does not limit requests
 */
export function countRequests(
  { countRequest }: GenerationService,
  refuse: (error: unknown) => V1Reply,
): (answer: Answer<OwnedExchange>) => Answer<OwnedExchange> {
  if (!countRequest) return (answer) => answer
  return (answer) => async (exchange) => {
    const quota = await countRequest(exchange.owner)
    if (!quota) return answer(exchange)
    if (quota.isExceeded) return tooMany(quota, refuse)
    return answer(exchange).then(
      (reply) => marked(reply, quota),
      (error: unknown) => marked(refuse(error), quota),
    )
  }
}

function tooMany(quota: RequestQuota, refuse: (error: unknown) => V1Reply): V1Reply {
  const { limit, moreInSeconds } = quota
  const message = `You may send ${limit} requests per minute. Try again in ${moreInSeconds} s.`
  const reply = refuse(new GenerationError('rate_limit_exceeded', message))
  reply.headers['retry-after'] = String(moreInSeconds)
  return marked(reply, quota)
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10 (27 September 2025). A redirect has no such fields, because a
 * client might wait before it follows the redirect, although the target does not count here (section 5 of the draft).
 */
function marked(reply: V1Reply, { limit, remaining, moreInSeconds }: RequestQuota): V1Reply {
  if (reply.status >= 300 && reply.status < 400) return reply
  reply.headers['ratelimit'] = `"requests";r=${remaining};t=${moreInSeconds}`
  reply.headers['ratelimit-policy'] = `"requests";q=${limit};w=60`
  return reply
}
