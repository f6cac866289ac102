import * as v from 'valibot'
import type { Provider } from '@genmount/core'

type Task = { id: string; status: string; reason: string; url: string; price: number }

export function acmeProvider(token: string, baseUrl = 'https://api.acme.example'): Provider {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    name: 'acme',
    models: [{ id: 'acme-image', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
    async submit({ input }, { signal }) {
      // A Blob: when the connection breaks, Deno sends any other body again, and you pay twice (denoland/deno#35610).
      const request = { method: 'POST', headers, body: new Blob([JSON.stringify(input)]), signal }
      const reply = await fetch(`${baseUrl}/tasks`, { ...request, redirect: 'error' })
      if (reply.ok) return { state: 'running', handle: ((await reply.json()) as Task).id }
      if (reply.status === 429) return { state: 'refused', message: 'Acme is busy.' }
      if (reply.status >= 500) throw new Error(`Acme answered ${reply.status}.`)
      const isAccountAtFault = [401, 402, 403].includes(reply.status)
      return { state: 'failed', code: 'provider_rejected', message: 'Acme refuses it.', isAccountAtFault }
    },
    async poll({ handle }, { signal }) {
      const reply = await fetch(`${baseUrl}/tasks/${handle}`, { headers, signal, redirect: 'error' })
      if (reply.status === 404) return { state: 'unknown', message: 'Acme does not know the task.' }
      if (!reply.ok) throw new Error(`Acme answered ${reply.status}.`)
      const { status, reason, url, price } = (await reply.json()) as Task
      if (status === 'failed') return { state: 'failed', code: 'provider_failed', message: reason }
      if (status !== 'done') return { state: 'running', handle }
      return { state: 'succeeded', outputs: [{ url }], costUsd: price }
    },
  }
}
