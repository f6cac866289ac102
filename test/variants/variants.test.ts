import { memoryFileStore } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { provenance, readProvenance } from '@genmount/provenance'
import { pluginSuite } from '@genmount/testing'
import { variants } from '@genmount/variants'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { served } from '../served.ts'
import { noise, red, variantsWorld } from './variants-world.ts'

const png = await noise(300, 200).png().toBuffer()

test('a picture can be had smaller and in another format, and has the headers of an output', async () => {
  const { ask, finished, kept } = variantsWorld(png)
  const { id } = await finished()
  const got = await ask(`/v1/files/${id}?width=128&format=webp`)
  expect(got).toMatchObject({ status: 200, type: 'image/webp' })
  expect(await sharp(got.bytes).metadata()).toMatchObject({ format: 'webp', width: 128, height: 85 })
  expect(got.headers.get('content-disposition')).toMatch(/^inline; filename="fake-image-a-fox-1\.webp"$/)
  expect(got.headers.get('cache-control')).toContain('immutable')
  const part = await ask(`/v1/files/${id}?width=128&format=webp`, { range: 'bytes=0-3' })
  expect([part.status, new TextDecoder().decode(part.bytes)]).toEqual([206, 'RIFF'])
  expect(await kept()).toHaveLength(1)
})

test.each(['webp', 'jpeg', 'png', 'avif'])('a picture can be had as %s in its own size', async (format) => {
  const { ask, finished } = variantsWorld(await noise(300, 200).gif().toBuffer())
  const { id } = await finished()
  const got = await ask(`/v1/files/${id}?format=${format}`)
  expect(got).toMatchObject({ status: 200, type: `image/${format}` })
  expect(await sharp(got.bytes).metadata()).toMatchObject({ width: 300, height: 200 })
})

test('a width is rounded up to one of six steps, so a thousand widths make six files at most', async () => {
  const { ask, finished, kept } = variantsWorld(await noise(2400, 20).jpeg().toBuffer())
  const { id } = await finished()
  const widths = new Set<number>()
  for (const width of [1, 64, 65, 100, 256, 257, 512, 700, 1024, 1025, 2047, 2048]) {
    const { bytes, type } = await ask(`/v1/files/${id}?width=${width}`)
    expect(type).toBe('image/jpeg')
    widths.add((await sharp(bytes).metadata()).width)
  }
  expect([...widths]).toEqual([64, 128, 256, 512, 1024, 2048])
  expect(await kept()).toHaveLength(6)
})

test('a picture is never enlarged, and one that is what is asked for already is sent as it is', async () => {
  const { ask, finished, kept } = variantsWorld(png)
  const { id } = await finished()
  for (const query of ['width=512', 'width=2048&format=png', 'format=png', 'n=0'])
    expect((await ask(`/v1/files/${id}?${query}`)).bytes).toEqual(new Uint8Array(png))
  expect(await kept()).toEqual([])
  expect((await sharp((await ask(`/v1/files/${id}?width=512&format=jpeg`)).bytes).metadata()).width).toBe(300)
})

test('a variant has at most 8.4 million pixels: a long picture is narrower than the width that is asked for', async () => {
  const { ask, finished } = variantsWorld(await red(600, 20_000).jpeg().toBuffer())
  const { id } = await finished()
  const { bytes } = await ask(`/v1/files/${id}?width=600`)
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 246, height: 8192 })
})

test('a hundred requests for one variant make it once', async () => {
  let puts = 0
  const store = memoryFileStore()
  const files: typeof store = { ...store, put: (...call) => (puts++, store.put(...call)) }
  const { ask, finished } = variantsWorld(png, { files })
  const { id } = await finished()
  puts = 0
  const all = await Promise.all(Array.from({ length: 100 }, () => ask(`/v1/files/${id}?width=64`)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(puts).toBe(1)
})

const widthFault =
  'width must be a whole number of pixels from 1 to 2048, such as 512. It is rounded up to 64, 128, 256, 512, 1024, 2048.'
const formatFault = 'format must be webp or jpeg or png or avif.'

test.each([
  ['width=0', 'width', widthFault],
  ['width=2049', 'width', widthFault],
  ['width=-64', 'width', widthFault],
  ['width=6.4', 'width', widthFault],
  ['width=', 'width', widthFault],
  ['width=9999999999999999', 'width', widthFault],
  ['width=64&width=64', 'width', 'width may be given only once.'],
  ['format=gif', 'format', formatFault],
  ['format=image/webp', 'format', formatFault],
  ['width=64&format=', 'format', formatFault],
])(
  'the query %s is refused with the name of the parameter and what is accepted',
  async (query, param, message) => {
    const { ask, finished } = variantsWorld(png)
    const { id } = await finished()
    const { status, error } = await ask(`/v1/files/${id}?${query}`)
    expect({ status, ...error }).toMatchObject({ status: 400, code: 'invalid_request', param, message })
  },
)

test('a service without the plugin answers such a query with the output', async () => {
  const { ask, finished } = variantsWorld(png, { plugins: [] })
  const { id } = await finished()
  expect((await ask(`/v1/files/${id}?width=64&format=gif`)).bytes).toEqual(new Uint8Array(png))
})

test('variants of the jobs of another owner, and of jobs that are not finished, are as unknown as their outputs', async () => {
  const { ask, finished, create, kept } = variantsWorld(png)
  const { id } = await finished('bob')
  expect(await ask(`/v1/files/${id}?width=64`)).toMatchObject({
    status: 404,
    error: { code: 'job_not_found' },
  })
  const unfinished = await create({ delay_ms: 60_000 })
  expect(await ask(`/v1/files/${unfinished.id}?width=64`)).toMatchObject({ status: 404 })
  const mine = await finished()
  expect(await ask(`/v1/files/${mine.id}?width=64&n=1`)).toMatchObject({
    status: 404,
    error: { code: 'file_not_found', param: 'n' },
  })
  expect(await kept()).toEqual([])
})

test.each([
  [
    'a drawing',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    /of type image\/svg\+xml/,
  ],
  ['a cut-off picture', png.subarray(0, 60), /is damaged/],
])('there is no variant of %s, and the answer says why', async (_what, bytes, message) => {
  const { ask, finished } = variantsWorld(bytes)
  const { id } = await finished()
  for (let asked = 0; asked < 2; asked++)
    expect(await ask(`/v1/files/${id}?width=64`)).toMatchObject({
      status: 400,
      error: { code: 'invalid_request', message: expect.stringMatching(message) },
    })
})

test('a variant keeps what the XMP of its output says, is upright, and has no other metadata', async () => {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"/></rdf:RDF></x:xmpmeta>`
  const marked = noise(300, 200)
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Artist: 'Ada' } })
    .withXmp(xmp)
  const { ask, finished } = variantsWorld(await marked.jpeg().toBuffer())
  const { id } = await finished()
  for (const format of ['webp', 'jpeg', 'png', 'avif']) {
    const { bytes } = await ask(`/v1/files/${id}?width=64&format=${format}`)
    const { width, height, xmp: own, exif } = await sharp(bytes).metadata()
    expect([format, width, height, exif]).toEqual([format, 64, 96, undefined])
    expect(own?.toString()).toContain('digitalsourcetype/trainedAlgorithmicMedia')
  }
})

test('a service that marks and signs its outputs marks and signs their variants', async () => {
  const end = new TextEncoder().encode('signed')
  const sign = provenance({
    sign: ({ body }) =>
      body.pipeThrough(new TransformStream({ flush: (controller) => controller.enqueue(end) })),
  })
  const { ask, finished } = variantsWorld(png, { plugins: [sign, variants()] })
  const { id } = await finished()
  for (const format of ['webp', 'jpeg', 'png', 'avif']) {
    const { bytes } = await ask(`/v1/files/${id}?width=64&format=${format}`)
    expect(await readProvenance(new Blob([bytes]).stream())).toMatchObject({
      digitalSourceType: 'trainedAlgorithmicMedia',
    })
    expect(new TextDecoder().decode(bytes.slice(-end.length))).toBe('signed')
  }
})

test('the outputs of a store that only has links, such as a bucket, have variants too', async () => {
  const { open, ...store } = memoryFileStore()
  const bucket = await served((req, res) => {
    void open!(decodeURIComponent(req.url!.slice(1))).then(async (file) => {
      if (!file) return res.writeHead(404).end()
      const bytes = Buffer.from(await new Response(file.read()).arrayBuffer())
      return res
        .writeHead(200, { 'content-type': file.contentType, 'content-length': bytes.length })
        .end(bytes)
    })
  })
  const link = async (key: string) => `${bucket}/${encodeURIComponent(key)}`
  const { finished, service, kept } = variantsWorld(png, { files: { ...store, link } })
  const job = await finished()
  const find = () => service.variants!.find(job, 0, new URLSearchParams('width=64'))
  expect([await find(), await find()]).toEqual([(await kept())[0], (await kept())[0]])
  const file = await fetch(await link((await kept())[0]!))
  expect((await sharp(await file.arrayBuffer()).metadata()).width).toBe(64)
})

describe('the plugin variants', () => {
  for (const [title, run] of Object.entries(pluginSuite(() => ({ plugin: variants() })))) test(title, run)
})

test('the document of the interface shows the parameters', async () => {
  const { ask } = variantsWorld(png)
  const { bytes } = await ask('/v1/openapi.json')
  const document = JSON.parse(new TextDecoder().decode(bytes))
  const names = document.paths['/v1/files/{id}'].get.parameters.map((one: { name?: string }) => one.name)
  expect(names).toEqual([undefined, undefined, 'width', 'format'])
})

describe('what the variants of an owner take', () => {
  test('counts in storedBytes until the job is deleted', async () => {
    const most = 2 * png.length
    const plugins = [limits({ storedBytes: most }), variants()]
    const { ask, finished, kept, service, jobs, clock } = variantsWorld(png, { plugins })
    const taken = () => jobs.storedBytes!('alice', clock.now())
    const { id } = await finished()
    expect(await taken()).toBe(png.length)
    const { bytes } = await ask(`/v1/files/${id}?width=64`)
    expect(await taken()).toBe(png.length + bytes.length)
    const again = await finished()
    expect(await ask(`/v1/files/${again.id}?width=256`)).toMatchObject({
      status: 429,
      error: { code: 'insufficient_quota' },
    })
    expect(await kept()).toHaveLength(1)
    await service.delete(id, 'alice')
    await clock.advance(100)
    expect(await taken()).toBe(png.length)
    expect((await ask(`/v1/files/${again.id}?width=256`)).status).toBe(200)
  })
})

test('the plugin needs a file store that can list its files, and refuses wrong options', () => {
  const { list: _, ...files } = memoryFileStore()
  expect(() => variantsWorld(png, { files }).service).toThrow(
    'variants needs a file store with list, such as diskFiles({ folder }).',
  )
  expect(() => variants({ threads: 0 })).toThrow(
    'variants: threads must be a whole number from 1 to 64, not 0.',
  )
  expect(() => variants({ width: 9 } as object)).toThrow('variants: width is not an option')
})
