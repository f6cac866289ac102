import type { GenerationService } from '@genmount/core'
import type { V1Settings } from '@genmount/fetch-handler'
import { changed, withHeaders, withJson, withUrl } from './changed-messages.ts'

/** One thing that a server does wrong, as a change of a server that does it right. */
export interface Fault {
  /** What it does in place of a service that does it right. */
  readonly service?: (service: GenerationService) => Partial<GenerationService>
  readonly options?: V1Settings
  readonly request?: (request: Request) => Request | Promise<Request>
  readonly reply?: (reply: Response, request: Request) => Response | Promise<Response>
  /** Cases of the suite that must notice. */
  readonly caughtBy: readonly string[]
}

/** Faults in how a server reads requests and answers them. */
export const faults: Readonly<Record<string, Fault>> = {
  'redirects to a script': {
    reply: (reply) =>
      reply.status === 302 ? changed(reply, { headers: { location: 'javascript:alert(1)' } }) : reply,
    caughtBy: [
      'the file of a completed job is a 302 to an output under /v1/outputs',
      'no redirect ever leads to a script, a plain-text or local address, or one with a password',
    ],
  },
  'sends no request id': {
    reply: (reply) => changed(reply, { headers: { 'x-request-id': null } }),
    caughtBy: ['every answer has a request id of its own', 'urls.get is the address of the job'],
  },
  'gives every request the same id': {
    reply: (reply) => changed(reply, { headers: { 'x-request-id': 'req_1' } }),
    caughtBy: ['every answer has a request id of its own'],
  },
  'lets answers be cached': {
    reply: (reply) => changed(reply, { headers: { 'cache-control': 'private, max-age=60' } }),
    caughtBy: [
      'urls.get is the address of the job',
      'HEAD of an output tells its type and length and sends no body',
    ],
  },
  'hides from pages what it refuses': {
    reply: (reply) =>
      reply.status < 400 ? reply : changed(reply, { headers: { 'access-control-allow-origin': null } }),
    caughtBy: ['a page that is let in can read every reply, refusals and outputs too'],
  },
  'asks preflights for the key': {
    request: (request) => withHeaders(request, (headers) => headers.delete('access-control-request-method')),
    caughtBy: ['a preflight of a page that is let in is answered without a key'],
  },
  'lets every page in': {
    request: (request) =>
      withHeaders(request, (headers) => {
        if (headers.has('origin')) headers.set('origin', 'https://page.example')
      }),
    caughtBy: ['a page that is not let in gets no permission'],
  },
  'lets outputs be cached by everybody': {
    reply: (reply) => changed(reply, { headers: { 'cache-control': 'public, max-age=3600' } }),
    caughtBy: [
      'a browser may keep an output for as long as its link is valid, an hour at most, and show it in any page',
    ],
  },
  'does not say how to authenticate': {
    reply: (reply) => changed(reply, { headers: { 'www-authenticate': null } }),
    caughtBy: [
      'every endpoint asks for a key with 401 and WWW-Authenticate',
      'HEAD asks for the key like GET',
    ],
  },
  'ignores n': {
    request: (request) => withUrl(request, (url) => url.searchParams.delete('n')),
    caughtBy: [
      'n absent or 0 is the first output, n=1 the second',
      'n beyond the outputs is 404 file_not_found',
      'n that is not an integer, and n given twice, is a 400 that names it',
      'the URLs in data lead to the outputs, in their order',
    ],
  },
  'ignores wait': {
    request: (request) => withUrl(request, (url) => url.searchParams.delete('wait')),
    caughtBy: [
      'wait=true answers 200 with the finished job, on every create endpoint',
      'wait in any other spelling is a 400 that names it, and makes no job',
    ],
  },
  'takes wait=1 for wait=true': {
    request: (request) =>
      withUrl(request, (url) => url.searchParams.get('wait') === '1' && url.searchParams.set('wait', 'true')),
    caughtBy: ['wait in any other spelling is a 400 that names it, and makes no job'],
  },
  'ignores Prefer': {
    request: (request) => withHeaders(request, (headers) => headers.delete('prefer')),
    caughtBy: ['Prefer: wait=N waits, and the answer says that it was honoured'],
  },
  'ignores the idempotency key': {
    request: (request) => withHeaders(request, (headers) => headers.delete('idempotency-key')),
    caughtBy: [
      'the same key and body give the same job, and the answer says so',
      'requests with one key at the same time make one job: each gets it, or 409 and retry-after',
    ],
  },
  'ignores Range': {
    request: (request) => withHeaders(request, (headers) => headers.delete('range')),
    caughtBy: [
      'a range of an output is 206 with exactly these bytes',
      'a range outside the output is 416 and tells the size',
    ],
  },
  'sends outputs that the client has': {
    request: (request) => withHeaders(request, (headers) => headers.delete('if-none-match')),
    caughtBy: ['an output with an etag is sent again only where it is another one'],
  },
  'gives every output the same etag': {
    reply: (reply) => changed(reply, { headers: { etag: '"1"' } }),
    caughtBy: [
      'an output with an etag is sent again only where it is another one',
      'a download of an output with an etag goes on with the very same output and no other',
    ],
  },
  'gives weak etags': {
    reply: (reply) => changed(reply, { headers: { etag: `W/${reply.headers.get('etag')}` } }),
    caughtBy: ['an output with an etag is sent again only where it is another one'],
  },
  'goes on with any output': {
    request: (request) => withHeaders(request, (headers) => headers.delete('if-range')),
    caughtBy: [
      'a range that holds only for another version of the output gives the whole output',
      'a download of an output with an etag goes on with the very same output and no other',
    ],
  },
  'goes on where the client is not sure': {
    request: (request) =>
      withHeaders(request, (headers) => {
        const tag = headers.get('if-range')
        if (tag !== null) headers.set('if-range', tag.replace('W/', ''))
      }),
    caughtBy: ['a download of an output with an etag goes on with the very same output and no other'],
  },
  'never goes on': {
    request: (request) =>
      withHeaders(request, (headers) => headers.has('if-range') && headers.delete('range')),
    caughtBy: ['a download of an output with an etag goes on with the very same output and no other'],
  },
  'takes a key from the query': {
    request: (request) => {
      const key = new URL(request.url).searchParams.get('api_key')
      return key === null
        ? request
        : withHeaders(request, (headers) => headers.set('authorization', `Bearer ${key}`))
    },
    caughtBy: ['a key counts in no other place: query, cookie, x-api-key'],
  },
  'reads the body before it asks for the key': {
    async request(request) {
      if (request.method !== 'POST') return request
      const { url, method, headers } = request
      return new Request(url, { method, headers, body: await request.arrayBuffer() })
    },
    caughtBy: ['401 arrives though the body never does', 'a body that does not arrive in time is 408'],
  },
  'repeats the key in an error': {
    reply: (reply, request) =>
      reply.status < 400
        ? reply
        : withJson(reply, (body) => ({ ...body, was: request.headers.get('authorization') })),
    caughtBy: [
      'no answer repeats a key, wherever the client has put it',
      'a path under /v1 that does not exist is 404 route_not_found, whatever the method',
    ],
  },
  'shows a stack trace': {
    reply: (reply) =>
      reply.status < 500
        ? reply
        : withJson(reply, () => ({ error: { message: new Error('secret detail').stack } })),
    caughtBy: ['a fault of the app is internal_error and tells nothing about it'],
  },
  'answers 405 without Allow': {
    reply: (reply) => changed(reply, { headers: { allow: null } }),
    caughtBy: [
      'a method that an endpoint does not serve is 405 with what it does',
      'OPTIONS is 204 and lists what is allowed',
    ],
  },
  'answers retry-after on nothing': {
    reply: (reply) => changed(reply, { headers: { 'retry-after': null } }),
    caughtBy: [
      'a created job has its address in location and says when to come back',
      'what the app refuses is answered with the status and the code of its reason',
    ],
  },
  'lets browsers guess the type of an output': {
    reply: (reply) => changed(reply, { headers: { 'x-content-type-options': null } }),
    caughtBy: ['an output is read without a key: bytes, type, length, and nothing for a browser to guess'],
  },
  'shows any output as a page': {
    reply: (reply) =>
      changed(reply, { headers: { 'content-disposition': 'inline', 'content-security-policy': null } }),
    caughtBy: ['an output of a type that we do not know is a download in a sandbox, not a page'],
  },
  'believes forwarding headers of anybody': {
    options: { trustProxy: true },
    caughtBy: ['forwarding headers of strangers change no URL'],
  },
  'reads bodies of any size': {
    options: { maxBodyBytes: 2 ** 30 },
    caughtBy: [
      'a body of exactly the limit is read, one byte more is 413',
      'a chunked body that grows too large is 413 without being read to its end',
    ],
  },
  'waits for bodies for ever': {
    options: { bodyTimeoutMs: 2 ** 31 - 1 },
    caughtBy: ['a body that does not arrive in time is 408'],
  },
}
