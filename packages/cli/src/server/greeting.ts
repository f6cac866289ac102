import type { AddressInfo } from 'node:net'
import type { Model } from '@genmount/core'
import type { ChosenProviders } from './chosen-providers.ts'
import type { MisspeltVariable } from './misspelt-variables.ts'
import type { Settings } from './settings.ts'

/**
 * The text that the server prints when it listens: its address, its models, where it stores jobs and files, and how to
 * try it.
 */
export function greeting(
  settings: Settings,
  address: AddressInfo | string | null,
  models: readonly Model[],
  vendors: ChosenProviders,
  misspelt: readonly MisspeltVariable[] = [],
): string {
  const baseUrl = settings.baseUrl ?? localUrl(address as AddressInfo)
  const { ownKey, apiKeys, operatorKeys } = settings
  const [owner] = Object.keys(apiKeys)
  const key = ownKey === undefined ? `KEY_OF_${owner}` : apiKeys['dev']
  const ids = models.map(({ id }) => id)
  const enlarges = ids.includes('esrgan-x2')
  const model = ids.includes('procedural-image') ? 'procedural-image' : ids[0]
  const lines = [
    `genmount listens on ${baseUrl}`,
    `Open ${baseUrl}/${ownKey === 'random' ? `?key=${key}` : ''} in a browser to try it${ownKey === undefined ? ' with one of your keys' : ''}.`,
    ...(Object.keys(operatorKeys).length > 0
      ? [`Operators see and steer it at ${baseUrl}/operator, with the keys of OPERATOR_KEYS.`]
      : []),
    `Models: ${ids.join(', ')}`,
    ...vendors.lines,
    ...(enlarges ? [] : ['Install @genmount/provider-esrgan, and there are models that enlarge pictures.']),
    ...(ownKey === 'published'
      ? ['Warning: API_KEYS is not set, so everybody may use the key dev-key.']
      : []),
    ...(ownKey === 'random' ? [`API_KEYS is not set, so this server has made a key for itself: ${key}`] : []),
    ...misspelt.map(
      ({ variable, meant }) =>
        `Warning: ${variable} is set, but this server does not read it; did you mean ${meant}?`,
    ),
    keptLine(settings),
    'Try it:',
    `  curl -X POST '${baseUrl}/v1/generate?wait=true' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"model":"${model}","prompt":"a lighthouse at dawn"}'`,
  ]
  return lines.join('\n')
}

function keptLine({ dataDir, databaseUrl, bucket }: Settings): string {
  const jobs = databaseUrl === undefined ? dataDir : 'the database of DATABASE_URL'
  const files = bucket === undefined ? dataDir : `the bucket ${bucket.name}`
  if (jobs === undefined)
    return 'Jobs and files are kept in memory; set DATA_DIR to a folder, and they are kept there.'
  return jobs === files ? `Jobs and files are kept in ${jobs}` : `Jobs are kept in ${jobs}, files in ${files}`
}

function localUrl({ address, family, port }: AddressInfo): string {
  const anyAddress = address === '0.0.0.0' || address === '::'
  const host = family === 'IPv6' && !anyAddress ? `[${address}]` : anyAddress ? 'localhost' : address
  return `http://${host}:${port}`
}
