import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { GenmountError } from '@genmount/client'
import {
  createGenerationService,
  type FileFetch,
  type FileStore,
  memoryBackend,
  memoryFileStore,
} from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { outputFacts, outputList } from '@genmount/output-facts'
import { provenance } from '@genmount/provenance'
import { fakeFile, fakeProvider, pluginSuite, quietLog } from '@genmount/testing'
import { temporaryFolder } from '../temporary-folder.ts'
import { factsOfOutputs, factsWorld } from './facts-world.ts'

const picture = fakeFile('image').bytes
const film = fakeFile('video').bytes
const input = { model: 'fake-image', prompt: 'a fox' }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const unknown = {
  object: 'output',
  content_type: null,
  bytes: null,
  sha256: null,
  width: null,
  height: null,
  duration: null,
  fps: null,
  codec: null,
  has_sound: null,
  revised_prompt: null,
  provenance: null,
}

describe('the plugin outputFacts', () => {
  for (const [title, run] of Object.entries(pluginSuite(() => ({ plugin: outputFacts() })))) test(title, run)
})

test('facts are those of the file as it is stored, wherever the plugin stands among those that change it', async () => {
  for (const plugins of [
    [outputFacts(), provenance({ include: ['model'] })],
    [provenance({ include: ['model'] }), outputFacts()],
  ]) {
    const [output] = await factsOfOutputs([{ bytes: picture }], plugins)
    const { facts, download } = output!
    expect(download.byteLength).toBeGreaterThan(picture.byteLength)
    expect(facts).toMatchObject({ bytes: download.byteLength, sha256: sha256(download) })
    expect(facts.provenance).toEqual({
      digital_source_type: 'trainedAlgorithmicMedia',
      model: 'fake-image',
      time: null,
      job: null,
      has_c2pa_manifest: false,
    })
  }
})

test('each output of a job has its number, and the address that the job shows', async () => {
  const { alice } = factsWorld({ behave: { outputs: [{ bytes: picture }, { bytes: film }] } })
  const job = await alice.generate(input)
  const outputs = await alice.outputs(job)
  expect(outputs.map(({ n, url }) => ({ n, url }))).toEqual(job.data.map(({ url }, n) => ({ n, url })))
  expect(outputs.map(({ content_type: type }) => type)).toEqual(['image/png', 'video/mp4'])
})

test('the outputs of a job of another owner are answered as those of an unknown job, and after its deletion too', async () => {
  const { alice, bob } = factsWorld({ behave: { outputs: [{ bytes: picture }] } })
  const job = await alice.generate(input)
  const refused = { status: 404, code: 'job_not_found' }
  for (const id of [job.id, 'gen_unknown', '%2e%2e'])
    await expect(bob.outputs(id)).rejects.toMatchObject(refused)
  const [others, none] = await Promise.all([job.id, 'gen_unknown'].map((id) => bob.outputs(id).catch(String)))
  expect(String(others).replace(job.id, '')).toBe(String(none).replace('gen_unknown', ''))
  await alice.delete(job)
  await expect(alice.outputs(job)).rejects.toMatchObject(refused)
})

test('a job that has not finished or has failed has no outputs', async () => {
  const running = factsWorld({ behave: { delayMs: 3_600_000 } })
  expect(await running.alice.outputs(await running.alice.create(input))).toEqual([])
  const failing = factsWorld({ behave: { failure: { code: 'provider_failed' } } })
  const failed = await failing.alice.generate(input).catch((error: GenmountError) => error.job!)
  expect(failed.status).toBe('failed')
  expect(await failing.alice.outputs(failed)).toEqual([])
})

test('of an output that stays at its provider only the type that the provider says is known, and nothing is fetched', async () => {
  let fetches = 0
  const fetch: FileFetch = async () => {
    fetches++
    throw Object.assign(new Error('no'), { retryable: false })
  }
  for (const files of [memoryFileStore(), { ...memoryFileStore(), fetch }]) {
    const outputs = [{ url: 'https://cdn.test/0', contentType: 'image/webp' }, { url: 'https://cdn.test/1' }]
    const { alice } = factsWorld({ files, behave: { outputs } })
    const job = await alice.generate(input)
    const tries = fetches
    expect(await alice.outputs(job)).toEqual([
      { ...unknown, n: 0, url: job.data[0]!.url, content_type: 'image/webp' },
      { ...unknown, n: 1, url: job.data[1]!.url },
    ])
    expect(fetches).toBe(tries)
  }
})

test('an output at a link has its facts as soon as it is copied', async () => {
  const fetch: FileFetch = async () => ({ body: new Blob([picture]).stream(), contentType: 'text/plain' })
  const outputs = [{ url: 'https://cdn.test/0', contentType: 'video/mp4' }]
  const { alice } = factsWorld({ files: { ...memoryFileStore(), fetch }, behave: { outputs } })
  const job = await alice.generate(input)
  await expect
    .poll(async () => (await alice.outputs(job))[0], { timeout: 10_000 })
    .toMatchObject({ content_type: 'image/png', bytes: picture.byteLength, sha256: sha256(picture) })
})

/** Lets a service without the plugin make a job, and one with it say its facts. */
async function factsAfterwards(files: FileStore, bytes: Uint8Array<ArrayBuffer>, later = files) {
  const backend = memoryBackend()
  const provider = fakeProvider({ behave: () => ({ outputs: [{ bytes }] }) })
  const common = { providers: [provider], backend, log: quietLog() }
  const before = createGenerationService({ ...common, files })
  const order = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  const { job } = await before.create(order)
  await expect.poll(async () => (await before.get(job.id, 'alice')).phase).toBe('completed')
  const service = createGenerationService({ ...common, files: later, plugins: [outputFacts()] })
  onTestFinished(async () => void (await Promise.all([before.close(), service.close()])))
  const route = service.routes.find(({ path }) => path === '/v1/jobs/:id/outputs')!
  const request = {
    owner: 'alice',
    params: { id: job.id },
    query: new URLSearchParams(),
    baseUrl: 'https://app.test',
    header: () => undefined,
    json: async () => ({}),
  }
  const ask = async () => (await route.answer(request)).json as { readonly data: readonly object[] }
  return { ask, kept: outputList(await service.get(job.id, 'alice'), 'https://app.test') }
}

test('a file that was stored without the plugin is read when its facts are asked for, once', async () => {
  const disk = diskFiles({ folder: temporaryFolder() })
  for (const store of [memoryFileStore(), disk]) {
    let opens = 0
    const counting: FileStore = { ...store, open: async (key) => (opens++, store.open!(key)) }
    const { ask, kept } = await factsAfterwards(store, picture, counting)
    const known = { content_type: 'image/png', bytes: picture.byteLength }
    expect(kept.data).toMatchObject([{ ...known, sha256: null, width: null }])
    const [answer] = await Promise.all([ask(), ask()])
    expect(answer.data).toMatchObject([{ ...known, sha256: sha256(picture), has_sound: false }])
    await ask()
    expect(opens).toBe(1)
  }
})

test('of a large file that was stored without the plugin, only the beginning and the end are read', async () => {
  const size = 200_000_000
  let readBytes = 0
  const store = memoryFileStore()
  const large: FileStore = {
    ...store,
    open: async () => ({
      size,
      contentType: 'image/png',
      sha256: 'ab'.repeat(32),
      read: ({ start, end } = { start: 0, end: size - 1 }) => {
        const part = new Uint8Array(end - start + 1)
        readBytes += part.byteLength
        if (start === 0) part.set(picture)
        return new Blob([part]).stream()
      },
    }),
  }
  const { ask } = await factsAfterwards(store, picture, large)
  const { data } = await ask()
  expect(data).toMatchObject([
    { bytes: size, sha256: 'ab'.repeat(32), width: expect.any(Number), provenance: null },
  ])
  expect(readBytes).toBeLessThan(5_000_000)
})

test('an output whose file can not be read any more has the facts that its job knows', async () => {
  const store = memoryFileStore()
  const { open: _, ...closed } = store
  const faults: readonly Pick<FileStore, 'link' | 'open'>[] = [
    { link: async () => 'https://files.test/0' },
    { open: async () => undefined },
    { open: () => Promise.reject(new Error('no')) },
  ]
  for (const fault of faults) {
    const { ask, kept } = await factsAfterwards(store, picture, { ...closed, ...fault })
    expect(await ask()).toEqual(kept)
  }
})
