import process from 'node:process'
import { createClient } from '@genmount/client'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { comfyApiProvider } from '@genmount/provider-comfyui/api-v2'
import { quietLog } from '@genmount/testing'
import { listen } from '../../loopback.ts'
import { token } from './comfyui-cases.ts'
import { textToImage } from './comfyui-shapes.ts'

/**
 * Runs one job on the ComfyUI at the address in the first argument, and prints the progress that a client receives.
 * With `leaves` as the second argument, the service closes as soon as the client receives the job, and with `hears` as soon as it
 * receives a preview. `api-v2` as the third argument means Comfy's API in place of a ComfyUI. The process ends by itself: a
 * WebSocket or a stream that was left behind would keep it from ending.
 */
const [baseUrl = '', leaves, kind] = process.argv.slice(2)
const inputs = { prompt: { node: '6', field: 'text' } }
const models = { fox: { workflow: textToImage, outputKind: 'image' as const, inputs } }
const providerOf = kind === 'api-v2' ? comfyApiProvider : comfyuiProvider
const providers = [providerOf({ baseUrl, token, models })]
const service = createGenerationService({ providers, log: quietLog() })
const { origin, stop } = await listen(
  toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key-0123456789' }) }),
)

const client = createClient({ baseUrl: origin, apiKey: 'alice-key-0123456789' })
const heard: { progress: number | undefined; preview: string | undefined }[] = []
const leaving = new AbortController()
const isTold = Promise.withResolvers<void>()
const isShown = Promise.withResolvers<void>()
const ended = client.generate(
  { model: 'fox', prompt: 'a fox' },
  {
    signal: leaving.signal,
    onJob: () => isTold.resolve(),
    onProgress({ progress, preview }) {
      heard.push({ progress, preview })
      if (preview) isShown.resolve()
    },
  },
)
const isTime = leaves === 'hears' ? isShown.promise : isTold.promise
const status = leaves ? isTime.then(() => undefined) : ended.then((job) => job.status)
ended.catch(() => {})
const seen = await status
// ComfyUI is polled once more, and its WebSocket is open.
if (leaves === 'leaves') await new Promise((resolve) => setTimeout(resolve, 2000))
await service.close({ timeoutMs: 2000 })
leaving.abort()
await stop()
console.log(JSON.stringify({ status: seen, heard }))
