import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { FetchRefusedError, type GuardedFetchOptions } from '@genmount/guarded-fetch'
import { createGuardedFetch } from '../../packages/guarded-fetch/src/node/guarded-fetch.ts'
import { httpAnswer, loopbackOrigin, type LoopbackOrigin } from './loopback-origin.ts'

// In these cases 127.0.0.1 counts as a public address, and all other loopback addresses must not be reached.
export const allowAddress = (address: string) => address === '127.0.0.1'
export const secret = 'hunter2'
export const picture = new Uint8Array([137, 80, 78, 71])
export const png = { 'content-type': 'image/png' }
export const sendPicture = (socket: { end(bytes: Uint8Array): void }) =>
  socket.end(httpAnswer(200, png, picture))

/** Looks names up among these. Each look-up of a name takes the next answer, and the last one stays. */
export function lookUpAmong(names: Record<string, readonly (readonly string[])[]>, lookups: string[] = []) {
  return async (hostname: string) => {
    const answers = names[hostname] ?? []
    const addresses =
      answers[Math.min(lookups.filter((name) => name === hostname).length, answers.length - 1)]
    lookups.push(hostname)
    if (addresses === undefined) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

/** A guarded fetch for which names have these addresses, and the names that it has looked up. */
export function fetchAmong(names: Parameters<typeof lookUpAmong>[0], ca?: string) {
  const lookups: string[] = []
  const fetch = createGuardedFetch({ lookUp: lookUpAmong(names, lookups), ...(ca !== undefined && { ca }) })
  return {
    lookups,
    // The timeout is so long that a forgotten timer is noticed: it would keep the process of these cases running.
    fetch: (url: string, options?: GuardedFetchOptions) =>
      fetch(url, { allowAddress, timeoutMs: 600_000, ...options }),
  }
}

export const names = {
  'a.test': [['127.0.0.1']],
  'b.test': [['127.0.0.1']],
  'private.test': [['127.0.0.2']],
}
export const { fetch: fetchHere } = fetchAmong(names)

/** The error with which `work` fails. Its text must contain no secret. */
export async function refusalOf(work: Promise<unknown>): Promise<FetchRefusedError> {
  const error = await work.then(
    () => assert.fail('was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof FetchRefusedError)) throw error
  assert.ok(!`${error.stack}${JSON.stringify(error)}`.includes(secret), 'the refusal tells a secret')
  return error
}

export async function reasonOf(work: Promise<unknown>): Promise<string> {
  return (await refusalOf(work)).reason
}

/** Fetches from an origin that answers every request with `answer`, and reads the body to its end. */
export async function refusalOfAnswer(
  answer: string | Uint8Array | ((socket: Socket) => void),
  options: GuardedFetchOptions = {},
): Promise<FetchRefusedError> {
  await using origin = await loopbackOrigin((socket) =>
    typeof answer === 'function' ? answer(socket) : socket.write(answer),
  )
  const url = `http://a.test:${origin.port}/${secret}?key=${secret}`
  const refusal = await refusalOf(
    fetchHere(url, { timeoutMs: 10_000, ...options }).then((response) => response.bytes()),
  )
  // The origin above leaves the connection open: the fetch has closed it.
  await origin.idle()
  return refusal
}

export async function untouched(
  origin: LoopbackOrigin,
  work: Promise<unknown>,
  reason: string,
  what: string,
) {
  assert.equal(await reasonOf(work), reason, what)
  assert.deepEqual(origin.connections, [], `${what} was connected to`)
}
