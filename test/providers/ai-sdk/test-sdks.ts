import { providerSuite, quietLog } from '@genmount/testing'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { test } from 'vitest'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { withoutWaiting } from '../without-waiting.ts'
import { modelsAt, type SdkVendor, vendors } from './vendors.ts'

const all: [string, SdkVendor][] = Object.entries(vendors)

/** The suite of providers for the models of a vendor. */
function suiteOf(sdkVendor: SdkVendor) {
  const { fake, models, secret } = sdkVendor
  const samples = Object.keys(models).map((model) => ({
    model,
    input: { prompt: 'a fox in the snow', aspect_ratio: '16:9' },
  }))
  return providerSuite(
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
}

/**
 * Declares the suite of providers for the models of each vendor.
 * @param isPart whether a case of a vendor belongs to it
 */
export function testSdks(isPart: (vendor: string, name: string) => boolean): void {
  for (const [vendor, sdkVendor] of all) {
    const cases = Object.entries(suiteOf(sdkVendor)).filter(([name]) => isPart(vendor, name))
    // Most of their time is the pauses that the SDKs of the vendors make before they try again.
    for (const [name, run] of cases) test.concurrent(`${vendor}: ${name}`, run)
  }
}

/** Whether `npm test` has the case. What the packages of the other vendors share with these is all but their words. */
export const isBrief = (vendor: string, name: string) =>
  ['google', 'openai', 'replicate'].includes(vendor) || /a sample ends in outputs|no secret is in/.test(name)
