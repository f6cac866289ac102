import type { Provider } from '@genmount/core'
import { closedInput, textField } from '@genmount/input-fields'
import {
  checkToken,
  type HostedOptions,
  offerModels,
  pollFailure,
  recordOf,
  submitFailure,
  vendorClient,
} from '@genmount/vendor-http'

const input = closedInput({ prompt: textField('prompt', 4000) })

export function acmeProvider(options: HostedOptions<{ readonly size: string }>): Provider {
  const { ask } = vendorClient({
    vendor: 'Acme',
    baseUrl: options.baseUrl ?? 'https://api.acme.example/v1',
    fetch: options.fetch,
    headers: { ...options.headers, authorization: `Bearer ${checkToken(options.token)}` },
  })
  const offered = offerModels(options.models, ({ size }) => ({ outputKind: 'image', input, size }))

  return {
    name: 'acme',
    models: offered.models,
    async submit(task, { signal }) {
      const { size } = offered.of(task)
      const answer = await ask({ method: 'POST', path: 'tasks', json: { ...task.input, size }, signal })
      if (!answer.ok) return submitFailure(answer)
      return { state: 'running', handle: String(recordOf(answer.json).id) }
    },
    async poll({ handle }, { signal }) {
      const answer = await ask({ method: 'GET', path: `tasks/${handle}`, signal })
      if (!answer.ok) return pollFailure(answer)
      const { status, url, price } = recordOf(answer.json)
      if (status !== 'done') return { state: 'running', handle }
      return { state: 'succeeded', outputs: [{ url: String(url) }], costUsd: Number(price) }
    },
  }
}
