import * as v from 'valibot'
import type { Provider } from '@genmount/core'

export function acmeProvider(token: string, baseUrl = 'https://api.acme.example'): Provider {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const failed = (message: string) => ({ state: 'failed', code: 'provider_failed', message }) as const
  return {
    name: 'acme',
    models: [{ id: 'acme-image', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
    async submit({ input }, { signal }) {
      // A Blob: when the connection breaks, Deno sends any other body again, and you pay twice (denoland/deno#35610).
      const body = new Blob([JSON.stringify(input)])
      const reply = await fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body, signal })
      if (reply.status === 429) return { state: 'refused', message: 'Acme is busy.' }
      if (reply.status >= 500) throw new Error(`Acme answered ${reply.status}.`)
      return reply.ok ? { state: 'running', handle: (await reply.json()).id } : failed('Acme refuses it.')
    },
    async poll({ handle }, { signal }) {
      const reply = await fetch(`${baseUrl}/tasks/${handle}`, { headers, signal })
      if (reply.status === 404) return { state: 'unknown', message: 'Acme does not know the task.' }
      const task = await reply.json()
      if (task.status === 'failed') return failed(task.reason)
      if (task.status !== 'done') return { state: 'running', handle }
      return { state: 'succeeded', outputs: [{ url: task.url }], costUsd: task.price }
    },
  }
}
