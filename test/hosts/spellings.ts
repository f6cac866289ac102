import { once } from 'node:events'
import { connect } from 'node:net'

/** A request for one path in an unusual spelling. */
export interface Spelling {
  readonly target: string
  readonly host: string
}

/**
 * Spellings of a path that a URL parser changes, that hosts normalise, decode or cut, or that put the path into the Host
 * header.
 * @param mountPath the path in front of `path`
 * @param path such as `/v1/generate`
 */
export function spellingsOf(mountPath: string, path: string): readonly Spelling[] {
  const whole = mountPath + path
  const [first = '', ...rest] = path.slice(1).split('/')
  const below = rest.map((part) => `/${part}`).join('')
  const targets = [
    '/x/..',
    '/.',
    '/%2e',
    '/%2E',
    '/x/%2e%2e',
    '/x/.%2e',
    '/x\\..',
    '/x/..\\',
    '/\\..',
    '/',
    '//evil.example',
    'http://evil.example',
    'HTTP://evil.example',
    'http://evil.example/x/..',
    'http://evil.example/%2e',
    'http://evil.example?',
    'http://evil.example#',
    'http://evil.example;',
    'http://evil.example\\x/..',
    "http://evil'.example",
    'http://evil%2fexample',
    'http://user:word@evil.example',
    'http:',
    'http:/',

    '?/..',
    '/?/..',
    '/#/..',
    '/;/..',
    '/;x/..',
    '/x;/..',
    '/%00/..',
    '/\t',
    '\t',
    '/%2f..',
    '/..%2fx/..',
  ].map((start) => start + whole)
  const within = [
    `${mountPath}/x/..${path}`,
    `${mountPath}/.${path}`,
    `${mountPath}/%2e${path}`,
    `${mountPath}/${path}`,
    `${mountPath}\\${path.slice(1)}`,
    `${mountPath}${path.toUpperCase()}`,
    `${mountPath.toUpperCase()}${path}`,
    `${mountPath}/%${first.charCodeAt(0).toString(16)}${first.slice(1)}${below}`,
    `${mountPath}/${first};x${below}`,
    `${mountPath}/${first}/.${below}`,
    `${mountPath}/${first}/x/..${below}`,
    `${mountPath}/${first}/x/%2e%2e${below}`,
    `${mountPath}/${first}/${below}`,
    `${mountPath}/${first}\\${below.slice(1)}`,
    `${mountPath}/${first}%2f${below.slice(1)}`,
    `${mountPath}%2f${path.slice(1)}`,
    ...['/', '//', '/.', '/x/..', '\\', '#', '#x', '%20', '%00', ';', ';x', '\t', '/?'].map(
      (end) => whole + end,
    ),
  ]
  const plain = 'localhost'
  return [
    ...[...targets, ...within].map((target) => ({ target, host: plain })),
    ...['a?b', 'a#b', 'a\\b', 'a/b', 'a;b', 'a b', 'u@a', 'a:b@c', 'a?://b', 'h'].flatMap((host) => [
      { target: whole, host },
      { target: `/x${whole}`, host },
    ]),
    { target: '/x', host: `a${whole}?` },
    { target: whole, host: 'a/x/..' },
  ]
}

/** Sends the bytes of a request that no client library would send. @returns the answer, `''` if there was none */
export async function sentRaw(
  origin: string,
  { target, host }: Spelling,
  fields: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).on('error', () => {})
  const lines = Object.entries({
    host,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...fields,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  let answer = ''
  socket.setTimeout(5000, () => socket.destroy())
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')))
  socket.write(Buffer.from(`POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1'))
  if (!socket.closed) await once(socket, 'close')
  return answer
}
