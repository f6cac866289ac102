import { comfyuiProvider } from '@genmount/provider-comfyui'
import { foxInput as input, plainFetch, type VendorCase, type Words } from '../vendor-case.ts'
import { textToImage } from './comfyui-shapes.ts'
import { fakeComfyui } from './fake-comfyui.ts'

const comfyuiWords = (entry: object): Words => ({
  step: 'result',
  json: ({ pathname }) => ({ [pathname.split('/').at(-1)!]: { prompt: [], outputs: {}, ...entry } }),
})
const comfyuiSuccess = { status_str: 'success', completed: true, messages: [] }

/** Workflows of ComfyUI. */
export const comfyuiCases: Readonly<Record<string, VendorCase>> = {
  comfyui: {
    model: 'workflow',
    input,
    async start(typicalMs = 1) {
      const fake = await fakeComfyui({ runMs: typicalMs })
      const token = 'tok_3cret_of_the_proxy'
      return {
        secrets: [token],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          comfyuiProvider({
            token,
            baseUrl: fake.url,
            models: {
              workflow: {
                workflow: textToImage,
                outputKind: 'image',
                inputs: { prompt: { node: '6', field: 'text' } },
                price: 0.04,
              },
            },
            submitGraceMs: 5,
            fetch,
          }),
        forget: fake.restart,
        close: fake.close,
      }
    },
    stepOf(method, { pathname }) {
      if (method === 'POST') return pathname === '/prompt' ? 'submit' : 'other'
      if (pathname === '/queue') return 'poll'
      return pathname.startsWith('/history/') ? 'result' : 'other'
    },
    error: (message) => ({ error: { type: 'invalid_prompt', message, details: '' }, node_errors: {} }),
    ended: (filename) =>
      comfyuiWords({
        outputs:
          filename === undefined ? {} : { '9': { images: [{ filename, subfolder: '', type: 'output' }] } },
        status: comfyuiSuccess,
      }),
    failed: (exception_message) =>
      comfyuiWords({
        status: {
          status_str: 'error',
          completed: false,
          messages: [['execution_error', { node_id: '3', node_type: 'KSampler', exception_message }]],
        },
      }),
    strange: comfyuiWords({ status: { ...comfyuiSuccess, status_str: 'pondering' } }),
    isDurable: true,
    finds: true,
  },
}
