import { request } from 'node:http'
import { uploads } from '@genmount/core/uploads'
import { apiKeys } from '@genmount/v1-interface'
import { createGenerationService, type FileStore, memoryFileStore } from '@genmount/core'
import { toNodeHandler } from '@genmount/node-http'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

const mebibyte = 2 ** 20
const picture = fakeFile('image').bytes

/** A file of this size that is a picture by its first bytes. */
function pictureOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  bytes.set(picture)
  return bytes
}

/** A server whose file store has room for 4 MiB. */
async function started() {
  const files = memoryFileStore({ maxBytes: 4 * mebibyte })
  /** The keys of the files whose storing has begun. */
  const begun: string[] = []
  const put: FileStore['put'] = (key, ...file) => {
    const storing = files.put(key, ...file)
    begun.push(key)
    return storing
  }
  const service = createGenerationService({
    providers: [fakeProvider()],
    files: { ...files, put },
    plugins: [uploads()],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const authenticate = apiKeys({ alice: 'alice-key', bob: 'bob-key', carol: 'carol-key' })
  const origin = await served(toNodeHandler(service, { authenticate }))
  const headersOf = (owner: string) => ({ authorization: `Bearer ${owner}-key` })
  return {
    origin,
    begun,
    headersOf,
    async makeJob(owner: string) {
      const body = JSON.stringify({ model: 'fake-image', prompt: 'a fox' })
      const headers = { ...headersOf(owner), 'content-type': 'application/json' }
      const answer = await fetch(`${origin}/v1/generate?wait=true`, { method: 'POST', headers, body })
      return (await answer.json()) as {
        readonly status: string
        readonly data: readonly { readonly url: string }[]
      }
    },
    async upload(owner: string, body: Uint8Array<ArrayBuffer>) {
      const answer = await fetch(`${origin}/v1/uploads`, { method: 'POST', headers: headersOf(owner), body })
      const { error } = (await answer.json()) as { readonly error?: { readonly code: string } }
      return error?.code ?? answer.status
    },
  }
}

test('the output of an owner stays, however many files another owner uploads to a file store in memory', async () => {
  const { makeJob, upload, headersOf } = await started()
  const job = await makeJob('alice')
  expect(job.status).toBe('completed')
  const answers = new Set<unknown>()
  for (let sent = 0; sent < 12; sent++) answers.add(await upload('bob', pictureOf(mebibyte / 2)))
  const output = await fetch(job.data[0]!.url, { headers: headersOf('alice') })
  expect(output.status).toBe(200)
  expect(Buffer.from(await output.arrayBuffer()).equals(picture)).toBe(true)
  expect([...answers]).toEqual([201, 'capacity_exceeded'])
})

test('outputs are stored in a file store in memory, however much its owners have uploaded', async () => {
  const { makeJob, upload, headersOf } = await started()
  for (const owner of ['bob', 'carol', 'alice'])
    for (let sent = 0; sent < 12; sent++) await upload(owner, pictureOf(mebibyte / 4))
  const job = await makeJob('alice')
  expect(job.status).toBe('completed')
  expect((await fetch(job.data[0]!.url, { headers: headersOf('alice') })).status).toBe(200)
})

test('an upload that does not fit beside the uploads that are arriving is refused before it has arrived', async () => {
  const { origin, headersOf, begun } = await started()
  const begin = (owner: string, length: number) => {
    const headers = { ...headersOf(owner), 'content-length': length }
    const sending = request(`${origin}/v1/uploads`, { method: 'POST', headers, agent: false })
    onTestFinished(() => void sending.destroy())
    const answer = new Promise<string>((resolve, reject) => {
      sending.on('error', reject)
      sending.on('response', async (response) => {
        let text = ''
        for await (const piece of response) text += String(piece)
        resolve(
          `${response.statusCode} ${(JSON.parse(text) as { error?: { code: string } }).error?.code ?? ''}`,
        )
      })
    })
    answer.catch(() => {})
    sending.write(picture)
    return { sending, answer }
  }
  const first = begin('bob', 3 * mebibyte)
  first.sending.write(Buffer.alloc(100_000))
  await expect.poll(() => begun).toHaveLength(1)
  expect(await begin('alice', 2 * mebibyte).answer).toBe('503 capacity_exceeded')
  first.sending.end(Buffer.alloc(3 * mebibyte - 100_000 - picture.length))
  expect(await first.answer).toBe('201 ')
})
