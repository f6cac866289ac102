import { expect, test } from 'vitest'
import { comfyuiProvider } from './comfyui-provider.ts'

test('a job is refused without a request to ComfyUI when a value function of the app throws', async () => {
  const widths: Partial<Record<string, { readonly pixels: number }>> = {}
  const provider = comfyuiProvider({
    baseUrl: 'http://10.0.0.7:8188',
    fetch: () => Promise.reject(new Error('ComfyUI is asked.')),
    models: {
      fox: {
        workflow: { '5': { class_type: 'EmptyLatentImage', inputs: { width: 512 } } },
        outputKind: 'image',
        inputs: {
          size: { node: '5', field: 'width', type: 'text', value: (size) => widths[String(size)]!.pixels },
        },
      },
    },
  })
  const task = { jobId: 'gen_1', model: 'fox', input: { size: 'huge' }, clientToken: 'c0ffee00' }
  const { signal } = new AbortController()
  expect(await provider.submit(task, { signal })).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
  })
})
