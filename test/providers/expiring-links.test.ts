import {
  createGenerationService,
  type FileFetch,
  isFinished,
  memoryBackend,
  memoryFileStore,
  type Provider,
} from '@genmount/core'
import { arkProvider } from '@genmount/provider-ark'
import { xaiProvider } from '@genmount/provider-xai'
import { fakeFile, manualClock, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { arkFake, token as arkKey } from './ark/ark-fake.ts'
import { token as xaiKey, xaiFake } from './xai/xai-fake.ts'

// Vendors delete their films after a day, but the service keeps jobs for longer.

const outputKind = 'video' as const

const vendors: Readonly<Record<string, () => Promise<readonly [Provider, { close(): Promise<void> }]>>> = {
  async xai() {
    const fake = await xaiFake()
    const models = { film: { model: 'grok-imagine-video', outputKind } }
    return [xaiProvider({ token: xaiKey, baseUrl: fake.baseUrl, models }), fake]
  },
  async ark() {
    const fake = await arkFake()
    const models = { film: { model: 'seedance-1-5-pro-251215', outputKind } }
    return [arkProvider({ token: arkKey, baseUrl: fake.baseUrl, models }), fake]
  },
}

test.each(Object.entries(vendors))(
  'a film of %s is copied without the key by a file store with fetch, and outlives its link',
  async (_vendor, start) => {
    const [provider, fake] = await start()
    const fetched: string[] = []
    const fetch: FileFetch = async (url, limits) => {
      fetched.push(url, JSON.stringify(limits))
      return { body: new Response(fakeFile('video').bytes).body! }
    }
    const clock = manualClock()
    const backend = memoryBackend({ clock })
    const files = { ...memoryFileStore(), fetch }
    const service = createGenerationService({ providers: [provider], backend, files, clock, log: quietLog() })
    onTestFinished(async () => {
      await service.close()
      await fake.close()
    })
    service.start()
    const { job } = await service.create({ owner: 'alice', model: 'film', input: { prompt: 'a fox' } })
    const copied = async () => {
      const found = await backend.jobs.get(job.id)
      return found && isFinished(found) ? found.outputs[0]?.fileKey : undefined
    }
    for (let second = 0; second < 600 && (await copied()) === undefined; second++) {
      await clock.advance(1000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    const file = await files.open?.((await copied()) ?? '')
    expect(new Uint8Array(await new Response(file?.read()).arrayBuffer())).toEqual(fakeFile('video').bytes)
    expect(fetched[0]).toMatch(/^https:.*\.mp4/)
    expect(fetched.join()).not.toContain(xaiKey)
    expect(fetched.join()).not.toContain(arkKey)
  },
)
