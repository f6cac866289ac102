import { inspect } from 'node:util'
import { createGenerationService, type Provider } from '@genmount/core'
import { fakeProvider } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { vendorCases } from './hosted-vendors.ts'

test("what looks like a key in an error of the app's own provider is in no job and no line of the log", async () => {
  const key = 'sk-live-0123456789abcdef'
  const lines: string[] = []
  const note = (...words: unknown[]) => void lines.push(inspect(words, { depth: 20 }))
  const cause = new Error(`GET https://me:${key}@vendor.example/?api_key=${key}`)
  const provider: Provider = {
    ...fakeProvider(),
    async submit({ input }) {
      if (input['prompt'] === 'fail')
        return { state: 'failed', code: 'provider_rejected', message: `No access with Bearer ${key}.` }
      throw new Error(`401 for {"Authorization":"Bearer ${key}"}`, { cause })
    },
  }
  const service = createGenerationService({ providers: [provider], log: { warn: note, error: note } })
  onTestFinished(async () => void (await service.close()))
  const run = async (prompt: string) => {
    const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt } })
    return job.id
  }
  const failed = await service.waitFor(await run('fail'), 'alice')
  expect(failed.error?.message).toBe('No access with Bearer [secret].')
  await run('throw')
  await expect.poll(() => lines.join()).toContain('401 for')
  expect(lines.join()).not.toContain(key)
})

test.each(Object.entries(vendorCases))(
  '%s: the owner of a job is not sent to the vendor',
  async (_name, { start, model, input }) => {
    const vendor = await start()
    onTestFinished(() => vendor.close())
    const sent: string[] = []
    const provider = vendor.connect(async (given, init) => {
      const request = new Request(given, init)
      sent.push(`${request.url} ${inspect([...request.headers])} ${await request.clone().text()}`)
      return vendor.fetch(request)
    })
    onTestFinished(async () => provider.close?.())
    const call = { signal: new AbortController().signal, callbackUrl: 'https://app.example/v1/callbacks/a' }
    const task = { jobId: 'job', model, input, clientToken: '0123456789abcdef', owner: 'owners-mark' }
    const report = await provider.submit(task, call)
    const handle = report.state === 'running' ? report.handle : null
    if (report.state === 'running') await provider.poll({ ...task, handle }, call)
    await provider.find?.(task, call).catch(() => {})
    await provider.cancel?.({ ...task, handle }, call).catch(() => {})
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.join('\n')).not.toContain('owners-mark')
  },
)
