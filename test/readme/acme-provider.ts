import * as v from 'valibot'
import type { Provider } from '@genmount/core'

export function acmeProvider(token: string, baseUrl = 'https://api.acme.example'): Provider {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    name: 'acme',
    models: [{ id: 'acme-image', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
    async submit({ input }, { signal }) {
      const body = JSON.stringify(input)
      const reply = await fetch(`${baseUrl}/tasks`, { method: 'POST', headers, body, signal })
      if (reply.status === 429) return { state: 'refused', message: 'Acme is busy.' }
      if (reply.status === 422)
        return { state: 'failed', code: 'provider_rejected', message: 'Acme refuses it.' }
      return { state: 'running', handle: (await reply.json()).id }
    },
    async poll({ handle }, { signal }) {
      const task = await (await fetch(`${baseUrl}/tasks/${handle}`, { headers, signal })).json()
      if (task.status === 'failed') return { state: 'failed', code: 'provider_failed', message: task.reason }
      if (task.status !== 'done') return { state: 'running', handle }
      return { state: 'succeeded', outputs: [{ url: task.url }], costUsd: task.price }
    },
  }
}
