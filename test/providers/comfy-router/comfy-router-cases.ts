import { comfyRouterProvider } from '@genmount/provider-comfyui/router'
import { comfyRouterModels } from '@genmount/provider-comfyui/router-models'
import { type VendorCase, vendorCase, type Words } from '../vendor-case.ts'
import { comfyRouterFake, token } from './comfy-router-fake.ts'

const status = (json: object): Words => ({ step: 'poll', json: () => json })

/** Models of the Comfy Router. */
export const comfyRouterCases: Readonly<Record<string, VendorCase>> = {
  'comfy router': vendorCase({
    secrets: [token],
    hosts: ['storage.googleapis.com'],
    fake: () => comfyRouterFake(),
    provider({ origin, fetch, typicalMs = 1000 }) {
      const it = { ...comfyRouterModels.flux3Image, typicalMs }
      return comfyRouterProvider({ token, baseUrl: origin, models: { it }, fetch })
    },
    stepOf(method, { pathname }) {
      if (method === 'POST') return 'submit'
      if (method !== 'GET' || pathname.endsWith('openapi.json')) return 'other'
      return pathname.endsWith('/status') ? 'poll' : 'result'
    },
    error: (detail) => ({ detail, error_type: 'invalid_input' }),
    ended: (sample) => ({
      step: 'result',
      json: () => ({ id: 'b2e0', status: 'Ready', result: sample === undefined ? {} : { sample } }),
    }),
    strange: status({ request_id: 'r', status: 'PONDERING' }),
    isDurable: true,
    dedupes: true,
    hasJobAt409: true,
  }),
}
