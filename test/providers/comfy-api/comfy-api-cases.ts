import { comfyApiProvider } from '@genmount/provider-comfyui/api-v2'
import { textToImage } from '../comfyui/comfyui-shapes.ts'
import { polled, type VendorCase, vendorCase } from '../vendor-case.ts'
import { comfyApiFake, token } from './comfy-api-fake.ts'

const output = {
  node_id: '9',
  name: 'a.png',
  type: 'image',
  content_type: 'image/png',
  size_bytes: 1,
  id: 'a',
}

/** Workflows at the Comfy API v2. */
export const comfyApiCases: Readonly<Record<string, VendorCase>> = {
  'comfy api': vendorCase({
    secrets: [token],
    hosts: ['storage.googleapis.com'],
    fake: () => comfyApiFake(),
    provider({ origin, fetch, typicalMs = 1000 }) {
      const inputs = { prompt: { node: '6', field: 'text' } }
      const it = { workflow: textToImage, outputKind: 'image', inputs, price: 0.04, typicalMs } as const
      return comfyApiProvider({ token, baseUrl: origin, models: { it }, fetch })
    },
    stepOf(method, { pathname }) {
      if (method === 'POST') return pathname === '/api/v2/jobs' ? 'submit' : 'other'
      return method === 'GET' && /^\/api\/v2\/jobs\/[^/]+$/.test(pathname) ? 'poll' : 'other'
    },
    error: (message) => ({ error: { code: 'invalid_workflow', message } }),
    ended: (url) => polled({ status: 'succeeded', outputs: url === undefined ? [] : [{ ...output, url }] }),
    failed: (message) => polled({ status: 'failed', error: { code: 'node_execution_error', message } }),
    strange: polled({ status: 'pondering' }),
    isDurable: true,
    dedupes: true,
  }),
}
