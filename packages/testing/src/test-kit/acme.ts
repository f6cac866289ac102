import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import * as v from 'valibot'
import { onTestFinished } from 'vitest'
import type { Json, Provider, ProviderReport } from '@genmount/core'

/** The key that Acme takes. */
export const acmeKey = 'acme-key-0123456789'

/** A vendor on loopback that makes a picture in two polls, and lists its tasks by the tokens of their submits. */
export async function startAcme(): Promise<string> {
  const tasks: { readonly token: unknown; polls: number }[] = []
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    const say = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    if (headers['x-api-key'] !== acmeKey) return say(401, { message: 'No key.' })
    if (method === 'POST') {
      tasks.push({ token: Object(await json(request)).token, polls: 0 })
      return say(200, { id: tasks.length - 1 })
    }
    const [, token] = /\?token=(.*)$/.exec(url) ?? []
    if (token !== undefined)
      return say(200, { ids: tasks.flatMap((t, id) => (t.token === token ? [id] : [])) })
    const task = tasks[Number(url.split('/').at(-1))]
    if (!task) return say(404, { message: 'No such task.' })
    say(200, task.polls++ < 2 ? { status: 'busy' } : { status: 'done', url: 'https://cdn.test/1.png' })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** The parts of a provider for Acme. Each part can be replaced by a broken one. */
export interface Parts {
  /** Sends a request. */
  ask(send: Ask, path: string, init: RequestInit): Promise<Response>
  submitted(reply: Response): Promise<ProviderReport>
  polled(reply: Response, handle: Json): Promise<ProviderReport>
  foundReport(reply: Response): Promise<ProviderReport | undefined>
}

export const broken = (reply: Response) => new Error(`Acme answered with ${reply.status}.`)

export const careful: Parts = {
  ask: (send, path, init) => send(path, init),
  async submitted(reply) {
    if (reply.status === 429)
      return {
        state: 'refused',
        message: 'Acme is busy.',
        retryAfterMs: Number(reply.headers.get('retry-after')) * 1000,
      }
    if ([401, 403].includes(reply.status))
      return { state: 'failed', code: 'provider_rejected', message: 'Bad key.', isAccountAtFault: true }
    if ([400, 404, 422].includes(reply.status))
      return { state: 'failed', code: 'provider_rejected', message: 'Acme refuses the task.' }
    if (!reply.ok) throw broken(reply)
    return { state: 'running', handle: String(Object(await reply.json()).id), pollAfterMs: 1 }
  },
  async polled(reply, handle) {
    if (reply.status === 404) return { state: 'unknown', message: 'Acme does not know the task.' }
    if (!reply.ok) throw broken(reply)
    const { status, url } = (await reply.json()) as { readonly status: string; readonly url: string }
    return status === 'done'
      ? { state: 'succeeded', outputs: [{ url }] }
      : { state: 'running', handle, pollAfterMs: 1 }
  },
  async foundReport(reply) {
    if (!reply.ok) throw broken(reply)
    const { ids } = (await reply.json()) as { readonly ids: readonly number[] }
    return ids[0] === undefined ? undefined : { state: 'running', handle: String(ids[0]) }
  },
}

export function acmeProvider(baseUrl: string, changes: Partial<Parts> = {}): Provider {
  const parts = { ...careful, ...changes }
  const headers = { 'x-api-key': acmeKey }
  const ask = (path: string, init: RequestInit) =>
    parts.ask((to, sent) => fetch(`${baseUrl}${to}`, sent), path, {
      headers,
      redirect: 'manual',
      ...init,
    })
  return {
    name: 'acme',
    models: [{ id: 'acme-image', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
    async submit({ input, clientToken: token }, { signal }) {
      return parts.submitted(
        await ask('/tasks', { method: 'POST', body: JSON.stringify({ ...input, token }), signal }),
      )
    },
    poll: async ({ handle }, { signal }) => parts.polled(await ask(`/tasks/${handle}`, { signal }), handle),
    find: async ({ clientToken }, { signal }) =>
      parts.foundReport(await ask(`/tasks?token=${clientToken}`, { signal })),
  }
}
