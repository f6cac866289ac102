import { describe, expect, test } from 'vitest'
import { isNeverConnected, shortageIn } from './never-connected.ts'

// Real errors of Node 24.21, Deno 2.9.5 and Bun 1.4.5, and of older versions of Bun where noted.

const fault = (message: string, more: object = {}) => Object.assign(new Error(message), more)
const step = (syscall: string, code: string, message = `${syscall} ${code} 127.0.0.1:80`) =>
  fault(message, { code, syscall })
/** The error with which `fetch` of Node and Deno rejects. */
const failed = (cause: unknown) => new TypeError('fetch failed', { cause })
const deno = (what: string, url = 'https://acme.example/') =>
  failed(fault(`error sending request for url (${url}): client error (Connect): ${what}`))
const bun = (code: string, words: string) =>
  Object.assign(new TypeError(`${code}: ${words}`), { code, errno: 0 })
const unable = 'Unable to connect. Is the computer able to access the url?'
const typo = 'Was there a typo in the url or port?'
const closed =
  'The socket connection was closed unexpectedly. For more information, pass `verbose: true` in the second argument to fetch()'
const several = (...errors: Error[]) =>
  Object.assign(new AggregateError(errors), { code: (errors[0] as { code?: unknown } | undefined)?.code })

describe('a fault before the connection counts as a request that was never sent, so a submit is retried', () => {
  test.each<[string, unknown]>([
    ['Node, nobody listens', failed(step('connect', 'ECONNREFUSED'))],
    ['Node, no such host', failed(step('getaddrinfo', 'ENOTFOUND', 'getaddrinfo ENOTFOUND acme.invalid'))],
    [
      'Node, no answer of DNS',
      failed(step('getaddrinfo', 'EAI_AGAIN', 'getaddrinfo EAI_AGAIN acme.invalid')),
    ],
    [
      'Node, no way there',
      failed(step('connect', 'EHOSTUNREACH', 'connect EHOSTUNREACH 10.77.0.1:80 - Local (0.0.0.0:0)')),
    ],
    ['Node, no network', failed(step('connect', 'ENETUNREACH'))],
    ['Node, a firewall', failed(step('connect', 'EACCES'))],
    ['Node, no answer of the host', failed(step('connect', 'ETIMEDOUT'))],
    ['Node, no port left', failed(step('connect', 'EADDRNOTAVAIL'))],
    [
      'Node, no descriptor left',
      failed(step('connect', 'EMFILE', 'connect EMFILE 127.0.0.1:80 - Local (undefined:undefined)')),
    ],
    [
      'Node, no descriptor left for DNS',
      failed(step('getaddrinfo', 'EMFILE', 'getaddrinfo EMFILE acme.example')),
    ],
    [
      'Node, no connection in ten seconds',
      failed(
        fault('Connect Timeout Error (attempted address: 127.0.0.1:80, timeout: 10000ms)', {
          name: 'ConnectTimeoutError',
          code: 'UND_ERR_CONNECT_TIMEOUT',
        }),
      ),
    ],
    [
      'Node, a certificate that it refuses',
      failed(
        fault(
          'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca',
          { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
        ),
      ),
    ],
    [
      'Node, a handshake that ends early',
      failed(
        fault('Client network socket disconnected before secure TLS connection was established', {
          code: 'ECONNRESET',
        }),
      ),
    ],
    [
      'Node, a proxy that does not lead there',
      failed(
        fault('Request was cancelled.', {
          code: 0,
          cause: fault('Proxy response (502) !== 200 when HTTP Tunneling', { code: 'UND_ERR_ABORTED' }),
        }),
      ),
    ],
    [
      'Node, a proxy by node:https',
      fault('Failed to establish tunnel to 127.0.0.1:443 via http://127.0.0.1:80: HTTP/1.1 502 Bad Gateway', {
        code: 'ERR_PROXY_TUNNEL',
      }),
    ],
    [
      'Node and Bun, none of the addresses',
      several(step('connect', 'ECONNREFUSED', 'connect ECONNREFUSED ::1:80'), step('connect', 'ETIMEDOUT')),
    ],
    ['Deno, nobody listens', deno('tcp connect error: Connection refused (os error 111)')],
    [
      'Deno, no such host',
      deno('dns error: failed to lookup address information: Name or service not known'),
    ],
    ['Deno, no answer of the host', deno('tcp connect error: Connection timed out (os error 110)')],
    ['Deno, no way there', deno('tcp connect error: No route to host (os error 113)')],
    ['Deno, no port left', deno('tcp connect error: Cannot assign requested address (os error 99)')],
    ['Deno, no descriptor left', deno('tcp open error: Too many open files (os error 24)')],
    ['Deno, a certificate that it refuses', deno('invalid peer certificate: UnknownIssuer')],
    ['Deno, a handshake that is reset', deno('Connection reset by peer (os error 104)')],
    ['Deno, a handshake that ends early', deno('tls handshake eof')],
    ['Deno, a proxy that does not lead there', deno('unsuccessful tunnel')],
    ['Bun, nobody listens', bun('ECONNREFUSED', unable)],
    [
      'Bun, no such host',
      Object.assign(new TypeError('getaddrinfo ENOTFOUND acme.invalid'), {
        code: 'ENOTFOUND',
        syscall: 'getaddrinfo',
        errno: 4,
      }),
    ],
    ['Bun, no answer of the host', bun('ETIMEDOUT', unable)],
    ['Bun, no way there', bun('EHOSTUNREACH', typo)],
    ['Bun, no port left', bun('EADDRNOTAVAIL', typo)],
    ['Bun, no descriptor left', bun('EMFILE', typo)],
    [
      'Bun, a certificate that it refuses',
      Object.assign(new TypeError('self signed certificate'), {
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        errno: 0,
      }),
    ],
    [
      'Bun, a proxy that does not lead there',
      fault('Proxy refused to open a tunnel: 502 Bad Gateway', { code: 'ERR_PROXY_TUNNEL' }),
    ],
    [
      'an SDK around any of them',
      new Error('Cannot connect to API: ', { cause: failed(step('connect', 'ECONNREFUSED')) }),
    ],
  ])('%s', (_what, error) => {
    expect(isNeverConnected(error)).toBe(true)
  })
})

describe('a fault after the connection counts as a request that may have been sent, so a submit is ambiguous', () => {
  const endless = new Error('again')
  endless.cause = endless
  test.each<[string, unknown]>([
    ['Node, a reset', failed(step('read', 'ECONNRESET', 'read ECONNRESET'))],
    [
      'Node, the other side closed',
      failed(fault('other side closed', { name: 'SocketError', code: 'UND_ERR_SOCKET' })),
    ],
    ['Node, the same by node:http', fault('socket hang up', { code: 'ECONNRESET' })],
    ['Node, a host that is gone in the middle', failed(step('read', 'ETIMEDOUT', 'read ETIMEDOUT'))],
    ['Node, a write that fails', step('write', 'EPIPE', 'write EPIPE')],
    [
      'Node, no answer in five minutes',
      failed(fault('Headers Timeout Error', { code: 'UND_ERR_HEADERS_TIMEOUT' })),
    ],
    [
      'Node, TLS 1.3 that wants a certificate of ours',
      fault('tlsv13 alert certificate required', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }),
    ],
    ['Node, TLS that breaks', step('write', 'EPROTO', 'write EPROTO')],
    [
      'Node, no descriptor left for a file',
      failed(fault("EMFILE: too many open files, open '/tmp/x'", { code: 'EMFILE', syscall: 'open' })),
    ],
    ['Node, one of the addresses', several(step('connect', 'ECONNREFUSED'), step('read', 'ECONNRESET'))],
    ['no address at all', several()],
    ['Deno, a reset', failed(fault('Connection reset by peer (os error 104)'))],
    [
      'Deno, the other side closed',
      failed(
        fault(
          'error sending request from 127.0.0.1:51626 for http://127.0.0.1:37135/ (127.0.0.1:37135): client error (SendRequest): connection closed before message completed',
        ),
      ),
    ],
    ['Deno, a host that is gone in the middle', failed(fault('Connection timed out (os error 110)'))],
    ['Bun, a reset or a close', bun('ECONNRESET', closed)],
    ['Bun, a host that is gone in the middle', bun('ETIMEDOUT', closed)],
    [
      'Bun, TLS that breaks',
      bun('EPROTO', 'The TLS handshake failed. Does the server speak TLS on this port?'),
    ],
    ['Bun 1.3, which sends again', fault(unable, { code: 'ConnectionRefused', errno: 0 })],
    ['Bun 1.3, which sends again, no descriptor left', fault(typo, { code: 'FailedToOpenSocket', errno: 0 })],
    ['Bun 1.3, which sends again, by node:http', fault('ECONNREFUSED', { code: 'ECONNREFUSED' })],
    [
      'the time of the call is up',
      new DOMException('The operation was aborted due to timeout', 'TimeoutError'),
    ],
    [
      'a vendor that quotes an error',
      new Error('The vendor says: client error (Connect): tcp connect error'),
    ],
    ['an error in an endless chain', endless],
    ['no error at all', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ])('%s', (_what, error) => {
    expect(isNeverConnected(error)).toBe(false)
  })
})

test('on Deno an error code of node:http never proves that a request was not sent, because Deno sends again by itself', () => {
  const refused = step('connect', 'ECONNREFUSED')
  expect(isNeverConnected(refused)).toBe(true)
  Object.assign(globalThis, { Deno: {} })
  try {
    expect(isNeverConnected(refused)).toBe(false)
    expect(isNeverConnected(deno('tcp connect error: Connection refused (os error 111)'))).toBe(true)
  } finally {
    Reflect.deleteProperty(globalThis, 'Deno')
  }
})

test.each<[string, unknown, string | undefined]>([
  ['Node', failed(step('connect', 'EMFILE')), 'EMFILE'],
  ['Node, for DNS', failed(step('getaddrinfo', 'EMFILE')), 'EMFILE'],
  ['any, for a file', fault('EMFILE: too many open files', { code: 'EMFILE', syscall: 'open' }), 'EMFILE'],
  ['any, the whole machine', step('connect', 'ENFILE'), 'ENFILE'],
  ['any, memory', step('connect', 'ENOMEM'), 'ENOMEM'],
  [
    'any, at one of the addresses',
    several(step('connect', 'ECONNREFUSED'), step('connect', 'ENOBUFS')),
    'ENOBUFS',
  ],
  ['Bun', bun('EMFILE', typo), 'EMFILE'],
  ['Deno', deno('tcp open error: Too many open files (os error 24)'), 'EMFILE'],
  ['Deno, for DNS', deno('dns error: Too many open files (os error 24)'), 'EMFILE'],
  ['Deno, the whole machine', deno('tcp open error: Too many open files in system (os error 23)'), 'ENFILE'],
  ['Deno, memory', deno('tcp open error: Cannot allocate memory (os error 12)'), 'ENOMEM'],
  ['Deno, buffers', deno('tcp connect error: No buffer space available (os error 105)'), 'ENOBUFS'],
  ['a vendor that is short of them', new Error('Too many open files (os error 24)'), undefined],
  ['nobody listens', failed(step('connect', 'ECONNREFUSED')), undefined],
  ['no error at all', 'EMFILE', undefined],
])('a submit that fails because the process has run out of %s says so', (_what, error, shortage) => {
  expect(shortageIn(error)).toBe(shortage)
})
