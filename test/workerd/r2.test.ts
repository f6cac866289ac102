import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { r2Files } from '@genmount/backend-cloudflare/r2'
import { bundledWorker } from './bundled-worker.ts'

const base = 'https://media.example.com'
const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
let worker: Miniflare

beforeAll(async () => {
  worker = await bundledWorker('r2-worker', { r2Buckets: ['BUCKET'] })
})
afterAll(() => worker?.dispose())

/** The address of the file of a new job. */
async function filmOf(mebibytes: number): Promise<string> {
  const body = JSON.stringify({ model: 'inline-film', prompt: String(mebibytes) })
  const created = await worker.dispatchFetch(`${base}/v1/generate?wait=true`, {
    method: 'POST',
    headers,
    body,
  })
  const job = (await created.json()) as { status: string; data: { url: string }[] }
  expect([created.status, job.status]).toEqual([200, 'completed'])
  const redirect = await worker.dispatchFetch(job.data[0]!.url, { headers, redirect: 'manual' })
  return redirect.headers.get('location')!
}

/** Without the compression that Miniflare adds, which has no length. */
const plain = { 'accept-encoding': 'identity' }

test.each([
  ['of 1 MiB, by its hash', 1, expect.stringMatching(/^"[\w-]+"$/)],
  ['of 20 MiB, which has no hash', 20, null],
])(
  'a service in workerd serves a film from R2 %s: whole, in parts and as a head',
  async (_, mebibytes, etag) => {
    const file = await filmOf(mebibytes)
    const size = mebibytes * 2 ** 20
    const whole = await worker.dispatchFetch(file, { headers: plain })
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect([whole.headers.get('content-length'), whole.headers.get('etag')]).toEqual([String(size), etag])
    const bytes = new Uint8Array(await whole.arrayBuffer())
    expect([bytes.byteLength, bytes[size - 1]]).toEqual([size, (size - 1) % 251])

    const part = await worker.dispatchFetch(file, { headers: { ...plain, range: 'bytes=251-1254' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 251-1254/${size}`])
    expect(part.headers.get('content-length')).toBe('1004')
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(
      new Uint8Array(1004).map((__, index) => index % 251),
    )

    const head = await worker.dispatchFetch(file, { method: 'HEAD', headers: plain })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)])
  },
)

test('a store in R2 that is asked whether it is ready leaves nothing in the bucket', async () => {
  const left = await worker.dispatchFetch(`${base}/ready`)
  expect(((await left.json()) as string[]).filter((name) => name.includes('ready'))).toEqual([])
})

test('a read of a file that was replaced after it was opened fails, and never gives bytes of the other file', async () => {
  const read = await worker.dispatchFetch(`${base}/replaced`)
  expect(await read.text()).toBe('Error: The file was replaced or deleted while it was read.')
})

test.each([
  [undefined, 'r2Files: bucket must be the binding of an R2 bucket, such as env.OUTPUTS, not undefined.'],
  [{ get() {} }, 'its head is not a function'],
])('r2Files refuses %o as the binding of a bucket, and says what it accepts', (bucket, message) => {
  expect(() => r2Files({ bucket: bucket as never })).toThrow(message)
})
