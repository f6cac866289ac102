import type { JsonObject, ProviderReport } from '@genmount/core'
import { type AiSdkModelOptions, aiSdkProvider, type CountedResult } from '@genmount/provider-ai-sdk'
import { quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { sdkWorld } from './sdk-world.ts'
import { modelsAt, vendorOf } from './vendors.ts'

test.each([
  ['minimax-video', '276521', '/v2/query/video_generation/276521'],
  ['wan-video', '0385dc79-1', '/api/v1/tasks/0385dc79-1'],
])(
  'a film of %s is continued by the next process with the task id of the vendor, and paid for once',
  async (model, taskId, path) => {
    const { vendor, create, finished, restart } = await sdkWorld(model)
    const id = await create()
    const { handle } = await finished(id, ({ phase }) => phase === 'running')
    expect(handle).toMatchObject({ operation: { taskId } })
    restart()
    const polls = vendor.requests.length
    expect(await finished(id)).toMatchObject({ phase: 'completed', outputs: [{}] })
    const after = vendor.requests.slice(polls).filter(({ url }) => url.hostname === 'vendor.test')
    expect(new Set(after.map(({ method, url }) => `${method} ${url.pathname}`))).toEqual(
      new Set([`GET ${path}`]),
    )
    expect(vendor.ledger).toHaveLength(1)
  },
)

/** A film with this input: the body of the request and the report at the end. */
async function filmOf(model: string, input: JsonObject, options: Omit<AiSdkModelOptions, 'model'>) {
  const sdkVendor = vendorOf(model)
  const { close, origin, requests, ledger } = await sdkVendor.fake()
  onTestFinished(close)
  const it = { model: modelsAt(sdkVendor, origin)[model]!, ...options }
  const provider = aiSdkProvider({ models: { it }, log: quietLog() })
  const task = { jobId: 'j', clientToken: 't', model: 'it', input: { num_outputs: 1, ...input } }
  const { signal } = new AbortController()
  let report: ProviderReport = await provider.submit(task, { signal })
  while (report.state === 'running')
    report = await provider.poll({ ...task, handle: report.handle }, { signal })
  return { report, paid: ledger.length, body: requests[0]!.json<JsonObject>() }
}

const outputSeconds = ({ providerMetadata }: CountedResult) => providerMetadata.minimax.usage.outputSeconds
const filmSeconds = ({ providerMetadata }: CountedResult) =>
  providerMetadata.alibaba.usage.outputVideoDuration
const image = {
  prompt: 'the sea',
  image: `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='}`,
}

test('films of MiniMax H3 and Wan 3 get what the README shows, and cost the seconds that the vendors count', async () => {
  const h3 = { price: 0.1, units: outputSeconds, providerOptions: { minimax: { resolution: '768P' } } }
  const input = { prompt: 'a fox', aspect_ratio: '9:16', duration: 6 }
  const fox = await filmOf('minimax-video', input, h3)
  expect(fox.report).toMatchObject({ state: 'succeeded', costUsd: 0.6 })
  expect(fox.body).toMatchObject({ model: 'MiniMax-H3', resolution: '768P', ratio: '9:16', duration: 6 })
  const wan = { price: 0.08, units: filmSeconds }
  const sea = await filmOf('wan-video', { ...image, resolution: '720p', duration: 5, sound: false }, wan)
  expect(sea.report).toMatchObject({ state: 'succeeded', costUsd: 0.4 })
  expect(sea.body).toMatchObject({
    model: 'wan3.0-video',
    input: { prompt: 'the sea', media: [{ type: 'first_frame', url: image.image }] },
    parameters: { resolution: '720P', duration: 5, audio: false },
  })
})

test('a length that MiniMax H3 does not have is refused for later jobs, where the model refuses warnings', async () => {
  const options = { onWarning: 'refuse' } as const
  const { report } = await filmOf('minimax-video', { prompt: 'a fox', duration: 20 }, options)
  expect(report).toMatchObject({ state: 'failed', code: 'provider_rejected' })
  if (report.state === 'failed') expect(report.message).toContain('at most 15 seconds')
})
