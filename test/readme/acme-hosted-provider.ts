import { checkOptions, type OptionTable, type Provider, text } from '@genmount/core'
import { closedInput, textField } from '@genmount/input-fields'
import {
  type HostedOptions,
  hostedOptions,
  modelOptions,
  offerModels,
  pollFailure,
  recordOf,
  submitFailure,
  vendorClient,
} from '@genmount/vendor-http'

const input = closedInput({ prompt: textField('prompt', 4000) })

type AcmeOptions = HostedOptions<{ readonly size: string }>

const modelTable = { ...modelOptions, size: text() }
const table = {
  ...hostedOptions('ACME_API_KEY', 'https://api.acme.example/v1'),
  models: offerModels((options, at) => {
    const { size } = checkOptions(at, options, modelTable)
    return { outputKind: 'image', input, size }
  }),
} satisfies OptionTable<AcmeOptions>

export function acmeProvider(options: AcmeOptions): Provider {
  const { token, models: offered, baseUrl, fetch, headers } = checkOptions('acmeProvider', options, table)
  const { ask } = vendorClient({
    vendor: 'Acme',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })

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
