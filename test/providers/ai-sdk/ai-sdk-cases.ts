import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { veoWords } from '../google/veo-words.ts'
import { openaiWords } from '../openai/openai-words.ts'
import { polled, type ProviderOptions, type VendorCase, vendorCase } from '../vendor-case.ts'
import { alibabaFilm, alibabaTask } from './alibaba-fake.ts'
import { minimaxFilm, minimaxTask } from './minimax-fake.ts'
import { modelsAt, vendors } from './vendors.ts'

/** @param model one of the vendor's models */
function at(vendor: keyof typeof vendors, model: string) {
  const sdkVendor = vendors[vendor]
  const { fake, secret } = sdkVendor
  return {
    secrets: [secret],
    fake: () => fake(),
    provider: ({ origin, fetch }: ProviderOptions) =>
      aiSdkProvider({
        models: { it: modelsAt(sdkVendor, origin, fetch)[model]! },
        secrets: [secret],
        fetchFile,
      }),
  }
}

/** Models of the AI SDK. */
export const aiSdkCases: Readonly<Record<string, VendorCase>> = {
  'ai-sdk video': vendorCase({ ...veoWords, ...at('google', 'google-video'), needsModel: true }),
  'ai-sdk MiniMax': vendorCase({
    ...at('minimax', 'minimax-video'),
    error: vendors.minimax.error,
    ended: (url) => polled(minimaxFilm(url)),
    failed: (message) => polled(minimaxTask({ status: 'failed', error: { code: 1000, message } })),
    strange: polled(minimaxTask({ status: 'pondering' })),
    isDurable: true,
    needsModel: true,
  }),
  'ai-sdk Wan': vendorCase({
    ...at('alibaba', 'wan-video'),
    error: vendors.alibaba.error,
    ended: (url) => polled(alibabaFilm(url)),
    failed: (message) => polled(alibabaTask({ task_status: 'FAILED', code: 'InternalError', message })),
    strange: polled(alibabaTask({ task_status: 'PONDERING' })),
    isDurable: true,
    hidesForgotten: true,
    needsModel: true,
  }),
  'ai-sdk image': vendorCase({ ...openaiWords, ...at('openai', 'openai-image') }),
}
