import { createGoogle } from '@ai-sdk/google'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { fakeFile } from '@genmount/testing'
import { key, type VendorFake } from './vendor-server.ts'

export const google: VendorFake = {
  submit({ id, asked: { path } }) {
    // [VAI:packages/google/src/google-video-model.test.ts; docs: veo]
    if (path.includes(':predictLongRunning')) return { json: { name: `models/veo-3/operations/${id}` } }
    // [VAI:packages/google/src/google-image-model.test.ts, generateContent]
    const data = Buffer.from(fakeFile('image').bytes).toString('base64')
    return {
      json: {
        candidates: [
          {
            content: { parts: [{ inlineData: { mimeType: 'image/png', data } }], role: 'model' },
            finishReason: 'STOP',
            index: 0,
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 },
        modelVersion: 'gemini-2.5-flash-image',
        responseId: id,
      },
    }
  },
  poll: ({ id, asked: { origin } }, isDone) => ({
    // The file of the Gemini API opens only with the key.
    json: isDone
      ? google.film?.(`${origin}/v1beta/files/film:download?alt=media`)
      : { name: `models/veo-3/operations/${id}` },
  }),
  film: (uri) => ({
    name: 'models/veo-3/operations/1',
    done: true,
    response: {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
      generateVideoResponse: uri ? { generatedSamples: [{ video: { uri } }] } : { raiMediaFilteredCount: 1 },
    },
  }),
  // [VAI:packages/google/src/google-error.ts]
  error: (words) => ({ error: { code: 400, message: words, status: 'INVALID_ARGUMENT' } }),
}

export const googleModels = (origin: string) => {
  const sdk = createGoogle({ apiKey: key, baseURL: `${origin}/v1beta`, fetch: vendorFetch() })
  return {
    'google-video': sdk.video('veo-3.1-generate-preview'),
    'google-image': sdk.image('gemini-2.5-flash-image'),
  }
}
