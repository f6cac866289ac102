import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { aiSdkProvider, vendorFetch } from '@genmount/provider-ai-sdk'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { veoWords } from '../google/veo-words.ts'
import { openaiWords } from '../openai/openai-words.ts'
import { foxInput as input, type HostedVendor, plainFetch, type VendorCase } from '../vendor-case.ts'
import { google as aiSdkGoogle } from './vendors/google.ts'
import { openai as aiSdkOpenai } from './vendors/openai.ts'
import { key as aiSdkKey, vendorServer } from './vendors/vendor-server.ts'

/** Models of the AI SDK. */
export const aiSdkCases: Readonly<Record<string, VendorCase>> = {
  'ai-sdk video': {
    ...veoWords,
    model: 'veo',
    input,
    start: startAiSdk,
  },

  'ai-sdk image': {
    ...openaiWords,
    model: 'gpt-image-1',
    input,
    start: startAiSdk,
  },
}

async function startAiSdk(): Promise<HostedVendor> {
  const [google, openai] = await Promise.all([vendorServer(aiSdkGoogle), vendorServer(aiSdkOpenai)])
  return {
    secrets: [aiSdkKey],
    taken: () => google.ledger.length + openai.ledger.length,
    fetch: plainFetch,
    connect: (given) => {
      const fetch = vendorFetch(given)
      const baseURL = `${google.origin}/v1beta`
      const veo = createGoogle({ apiKey: aiSdkKey, baseURL, fetch }).video('veo-3.1-generate-preview')
      const painter = createOpenAI({ apiKey: aiSdkKey, baseURL: `${openai.origin}/v1`, fetch })
      return aiSdkProvider({
        models: { veo, 'gpt-image-1': painter.image('gpt-image-1') },
        secrets: [aiSdkKey],
        fetchFile,
      })
    },
    forget: () => google.ledger.forEach((task) => Object.assign(task, { id: 'forgotten' })),
    async close() {
      await Promise.all([google.close(), openai.close()])
    },
  }
}
