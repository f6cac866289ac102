import { comfyuiProvider } from '@genmount/provider-comfyui'
import { type VendorCase, vendorCase, type Words } from '../vendor-case.ts'
import { textToImage } from './comfyui-shapes.ts'
import { fakeComfyui } from './fake-comfyui.ts'

export const token = 'tok_3cret_of_the_proxy'

const entryWords = (entry: object): Words => ({
  step: 'result',
  json: ({ pathname }) => ({ [pathname.split('/').at(-1)!]: { prompt: [], outputs: {}, ...entry } }),
})
const success = { status_str: 'success', completed: true, messages: [] }

/** Workflows of ComfyUI. */
export const comfyuiCases: Readonly<Record<string, VendorCase>> = {
  comfyui: vendorCase({
    secrets: [token],
    fake: (typicalMs = 1) => fakeComfyui({ runMs: typicalMs }),
    provider({ origin, fetch }) {
      const inputs = { prompt: { node: '6', field: 'text' } }
      const models = { it: { workflow: textToImage, outputKind: 'image', inputs, price: 0.04 } } as const
      return comfyuiProvider({ token, baseUrl: origin, models, submitGraceMs: 5, fetch })
    },
    stepOf(method, { pathname }) {
      if (method === 'POST') return pathname === '/prompt' ? 'submit' : 'other'
      if (pathname === '/queue') return 'poll'
      return pathname.startsWith('/history/') ? 'result' : 'other'
    },
    error: (message) => ({ error: { type: 'invalid_prompt', message, details: '' }, node_errors: {} }),
    ended(filename) {
      const images = [{ filename, subfolder: '', type: 'output' }]
      return entryWords({ outputs: filename === undefined ? {} : { '9': { images } }, status: success })
    },
    failed(exception_message) {
      const messages = [['execution_error', { node_id: '3', node_type: 'KSampler', exception_message }]]
      return entryWords({ status: { status_str: 'error', completed: false, messages } })
    },
    strange: entryWords({ status: { ...success, status_str: 'pondering' } }),
    isDurable: true,
    finds: true,
  }),
}
