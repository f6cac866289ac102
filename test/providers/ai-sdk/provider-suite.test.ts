import { providerSuite, quietLog } from '@genmount/testing'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { describe, test } from 'vitest'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { withoutWaiting } from '../without-waiting.ts'
import { modelsAt, type SdkVendor, vendors } from './vendors.ts'

const all: [string, SdkVendor][] = Object.entries(vendors)

describe.each(all)('%s', (_name, sdkVendor) => {
  const { fake, models, secret } = sdkVendor
  const samples = Object.keys(models).map((model) => ({
    model,
    input: { prompt: 'a fox in the snow', aspect_ratio: '16:9' },
  }))
  const suite = providerSuite(
    async () => {
      const vendor = await fake({ isSlow: false })
      return {
        provider: (origin) =>
          aiSdkProvider({
            models: modelsAt(sdkVendor, origin),
            fetchFile,
            secrets: [secret],
            log: quietLog(),
          }),
        vendor: vendor.origin,
        secrets: [secret],
        // The vendors' own hosts, where films are.
        fetch: async () => new Response('a film'),
        ...withoutWaiting(),
        close: () => vendor.close(),
      }
    },
    samples as [(typeof samples)[0], ...typeof samples],
    { lacks: ['cancel', 'dedupesSubmits', 'find', 'list', 'readCallback'] },
  )
  // Most of their time is the pauses that the SDKs of the vendors make before they try again.
  for (const [name, run] of Object.entries(suite)) test.concurrent(name, run)
})
