import { createOpenAI } from '@ai-sdk/openai'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { fakeFile } from '@genmount/testing'
import { key, type VendorFake } from './vendor-server.ts'

export const openai: VendorFake = {
  // [openai-openapi:openapi.yaml ImagesResponse]
  submit: ({ asked: { body } }) => ({
    json: {
      created: 1767225600,
      data: Array.from({ length: Number(body['n'] ?? 1) }, (_, index) => ({
        b64_json: Buffer.from(fakeFile('image', index).bytes).toString('base64'),
      })),
      output_format: 'png',
      quality: 'low',
      size: '1024x1024',
      usage: { input_tokens: 50, output_tokens: 2000, total_tokens: 2050 },
    },
  }),
  poll: () => ({ status: 404 }),
  // [VAI:packages/openai/src/image/__fixtures__/gpt-image-response-format-error.json]
  error: (words) => ({ error: { message: words, type: 'invalid_request_error', param: null, code: null } }),
}

export const openaiModels = (origin: string) => ({
  'openai-image': createOpenAI({ apiKey: key, baseURL: `${origin}/v1`, fetch: vendorFetch() }).image(
    'gpt-image-1',
  ),
})
