import { providerSuite, quietLog } from '@genmount/testing'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { describe, test } from 'vitest'
import { key, vendorServer } from './vendors/vendor-server.ts'
import { vendors } from './vendors/vendors.ts'
import { fetchFile } from './world.ts'

describe.each(Object.entries(vendors))('%s', (_name, { fake, models }) => {
  const samples = Object.keys(models('http://127.0.0.1')).map((model) => ({
    model,
    input: { prompt: 'a fox in the snow', aspect_ratio: '16:9' },
  }))
  const suite = providerSuite(
    async () => {
      const vendor = await vendorServer(fake)
      return {
        provider: (origin) =>
          aiSdkProvider({ models: models(origin), fetchFile, secrets: [key], log: quietLog() }),
        vendor: vendor.origin,
        secrets: [key],
        // The vendors' own hosts, where films are.
        fetch: async () => new Response('a film'),
        close: () => vendor.close(),
      }
    },
    samples as [(typeof samples)[0], ...typeof samples],
  )
  // Most of their time is the pauses that the SDKs of the vendors make before they try again.
  for (const [name, run] of Object.entries(suite)) test.concurrent(name, run)
})
