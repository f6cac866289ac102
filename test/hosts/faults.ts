import { type Fault, withJson } from './fault.ts'

/** Faults in how a server reads requests and answers them. */
export const faults: Readonly<Record<string, Fault>> = {
  'redirects to a script': {
    reply(reply) {
      if (reply.status === 302) reply.headers.set('location', 'javascript:alert(1)')
      return reply
    },
    caughtBy: [
      'the file of a completed job is a 302 to an output under /v1/outputs',
      'no redirect ever leads to a script, a plain-text or local address, or one with a password',
    ],
  },
  'sends no request id': {
    replyHeaders: { 'x-request-id': null },
    caughtBy: ['every answer has a request id of its own', 'urls.get is the address of the job'],
  },
  'gives every request the same id': {
    replyHeaders: { 'x-request-id': 'req_1' },
    caughtBy: ['every answer has a request id of its own'],
  },
  'lets answers be cached': {
    replyHeaders: { 'cache-control': 'private, max-age=60' },
    caughtBy: [
      'urls.get is the address of the job',
      'HEAD of an output tells its type and length and sends no body',
    ],
  },
  'hides from pages what it refuses': {
    reply(reply) {
      if (reply.status >= 400) reply.headers.delete('access-control-allow-origin')
      return reply
    },
    caughtBy: ['a page that is let in can read every reply, refusals and outputs too'],
  },
  'asks preflights for the key': {
    headers: (headers) => headers.delete('access-control-request-method'),
    caughtBy: ['a preflight of a page that is let in is answered without a key'],
  },
  'lets every page in': {
    headers: (headers) => headers.has('origin') && headers.set('origin', 'https://page.example'),
    caughtBy: ['a page that is not let in gets no permission'],
  },
  'lets outputs be cached by everybody': {
    replyHeaders: { 'cache-control': 'public, max-age=3600' },
    caughtBy: [
      'a browser may keep an output for as long as its link is valid, an hour at most, and show it in any page',
    ],
  },
  'does not say how to authenticate': {
    replyHeaders: { 'www-authenticate': null },
    caughtBy: [
      'every endpoint asks for a key with 401 and WWW-Authenticate',
      'HEAD asks for the key like GET',
    ],
  },
  'ignores n': {
    url: (url) => url.searchParams.delete('n'),
    caughtBy: [
      'n absent or 0 is the first output, n=1 the second',
      'n beyond the outputs is 404 file_not_found',
      'n that is not an integer, and n given twice, is a 400 that names it',
      'the URLs in data lead to the outputs, in their order',
    ],
  },
  'ignores wait': {
    url: (url) => url.searchParams.delete('wait'),
    caughtBy: [
      'wait=true answers 200 with the finished job, on every create endpoint',
      'wait in any other spelling is a 400 that names it, and makes no job',
    ],
  },
  'takes wait=1 for wait=true': {
    url: (url) => url.searchParams.get('wait') === '1' && url.searchParams.set('wait', 'true'),
    caughtBy: ['wait in any other spelling is a 400 that names it, and makes no job'],
  },
  'ignores Prefer': {
    headers: (headers) => headers.delete('prefer'),
    caughtBy: ['Prefer: wait=N waits, and the answer says that it was honoured'],
  },
  'ignores the idempotency key': {
    headers: (headers) => headers.delete('idempotency-key'),
    caughtBy: [
      'the same key and body give the same job, and the answer says so',
      'requests with one key at the same time make one job: each gets it, or 409 and retry-after',
    ],
  },
  'ignores Range': {
    headers: (headers) => headers.delete('range'),
    caughtBy: [
      'a range of an output is 206 with exactly these bytes',
      'a range outside the output is 416 and tells the size',
    ],
  },
  'sends outputs that the client has': {
    headers: (headers) => headers.delete('if-none-match'),
    caughtBy: ['an output with an etag is sent again only where it is another one'],
  },
  'gives every output the same etag': {
    replyHeaders: { etag: '"1"' },
    caughtBy: [
      'an output with an etag is sent again only where it is another one',
      'a download of an output with an etag goes on with the very same output and no other',
    ],
  },
  'gives weak etags': {
    reply(reply) {
      const tag = reply.headers.get('etag')
      if (tag !== null) reply.headers.set('etag', `W/${tag}`)
      return reply
    },
    caughtBy: ['an output with an etag is sent again only where it is another one'],
  },
  'goes on with any output': {
    headers: (headers) => headers.delete('if-range'),
    caughtBy: [
      'a range that holds only for another version of the output gives the whole output',
      'a download of an output with an etag goes on with the very same output and no other',
    ],
  },
  'goes on where the client is not sure': {
    headers(headers) {
      const tag = headers.get('if-range')
      if (tag !== null) headers.set('if-range', tag.replace('W/', ''))
    },
    caughtBy: ['a download of an output with an etag goes on with the very same output and no other'],
  },
  'never goes on': {
    headers: (headers) => headers.has('if-range') && headers.delete('range'),
    caughtBy: ['a download of an output with an etag goes on with the very same output and no other'],
  },
  'takes a key from the query': {
    headers(headers, { url }) {
      const key = new URL(url).searchParams.get('api_key')
      if (key !== null) headers.set('authorization', `Bearer ${key}`)
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
    replyHeaders: { allow: null },
    caughtBy: [
      'a method that an endpoint does not serve is 405 with what it does',
      'OPTIONS is 204 and lists what is allowed',
    ],
  },
  'answers retry-after on nothing': {
    replyHeaders: { 'retry-after': null },
    caughtBy: [
      'a created job has its address in location and says when to come back',
      'what the app refuses is answered with the status and the code of its reason',
    ],
  },
  'lets browsers guess the type of an output': {
    replyHeaders: { 'x-content-type-options': null },
    caughtBy: ['an output is read without a key: bytes, type, length, and nothing for a browser to guess'],
  },
  'shows any output as a page': {
    replyHeaders: { 'content-disposition': 'inline', 'content-security-policy': null },
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
