// @module-tag needs/ffmpeg needs/imagemagick
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { uploads } from '@genmount/core/uploads'
import { createGenerationService, memoryFileStore } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { guardedFetch } from '@genmount/guarded-fetch'
import { closedInput, field, modelInput, withPictures } from '@genmount/provider-kit'
import { fakeProvider, quietLog } from '@genmount/testing'
import { answering, mirrorWorld, providerOrigin } from '../mirroring/mirror-world.ts'
import { type MadeFile, madeFiles } from './made-files.ts'

let files: readonly MadeFile[] = []
beforeAll(async () => void (files = await madeFiles()))

const types = ['png', 'jpeg', 'webp', 'gif', 'avif', 'mp4', 'mp3', 'wav', 'flac', 'ogg', 'm4a'] as const
const takenTypes = types.map((type) =>
  type === 'mp4'
    ? 'video/mp4'
    : ['png', 'jpeg', 'webp', 'gif', 'avif'].includes(type)
      ? `image/${type}`
      : ({ mp3: 'audio/mpeg', m4a: 'audio/mp4' }[type as string] ?? `audio/${type}`),
)

/** A service whose provider gives these bytes as its output. */
function setUp(bytes: Uint8Array) {
  const input = modelInput(closedInput({ image: field.picture('image', { types }) }))
  const models = [
    { id: 'taker', outputKind: 'image', input },
    { id: 'maker', outputKind: 'image', input: modelInput(closedInput({})) },
  ] as const
  const provider = fakeProvider({ models, behave: () => ({ outputs: [{ bytes }] }) })
  const service = createGenerationService({
    providers: [provider],
    files: memoryFileStore(),
    plugins: [uploads()],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const handle = toFetchHandler(service, { authenticate: apiKeys({ alice: 'key' }) })
  const ask = (path: string, body?: BodyInit, type = 'application/json') => {
    const headers = { authorization: 'Bearer key', 'content-type': type }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body }
    return handle(new Request(new URL(path, 'http://app.test'), init))
  }
  const create = (fields: object) => ask('/v1/generate?wait=true', JSON.stringify(fields))
  return { provider, ask, create }
}

/** Browsers show these. */
const shown =
  /^image\/(png|jpeg|webp|gif|avif|heic|bmp|x-icon)$|^video\/(mp4|webm|quicktime|3gpp|ogg)$|^audio\/(mpeg|wav|ogg|flac|mp4|aac)$/

/** What the names of the files of a type may end in. */
const endingOf = ({ name, contentType }: MadeFile): RegExp =>
  ({
    'image/jpeg': /\.jpe?g"$/,
    'video/mp4': /\.mp4"$/,
    'video/mp2t': /\.ts"$/,
    'audio/ogg': /\.ogg"$/,
  })[contentType] ?? RegExp(`${/\.\w+$/.exec(name)}"$`)

test('real files of ffmpeg, ImageMagick and sharp are named by their bytes as outputs', async () => {
  expect(files.length).toBeGreaterThanOrEqual(40)
  for (const file of files) {
    const { ask, create } = setUp(file.bytes)
    const job = await (await create({ model: 'maker' })).json()
    expect(job, file.name).toMatchObject({ status: 'completed' })
    const location = (await ask(`/v1/files/${job.id}`)).headers.get('location') ?? ''
    const { headers, status } = await ask(location)
    expect([file.name, status, headers.get('content-type')]).toEqual([file.name, 200, file.contentType])
    const disposition = headers.get('content-disposition')
    expect(disposition, file.name).toMatch(shown.test(file.contentType) ? /^inline/ : /^attachment/)
    expect(disposition, file.name).toMatch(endingOf(file))
  }
})

test('real files behind links are copied and named by their bytes, whatever their server calls them', async () => {
  const origin = await providerOrigin((socket, head) => {
    const [, index = '', type = ''] = /^GET \/(\d+)\/(\w*)/.exec(head) ?? []
    const claimed = { text: 'text/plain', download: 'application/x-download', png: 'image/png' }[type]
    answering(200, claimed ? { 'content-type': claimed } : {}, files[Number(index)]!.bytes)(socket, head)
  })
  const world = await mirrorWorld()
  for (const [index, file] of files.entries()) {
    const claim = ['', 'text', 'download', 'png'][index % 4]
    const id = await world.completedWith(origin.url(`${index}/${claim}`))
    const { outputs } = await world.driveToRest(id)
    expect([file.name, outputs[0]]).toEqual([
      file.name,
      { fileKey: `${id}-0`, contentType: file.contentType, bytes: file.bytes.byteLength },
    ])
  }
})

test('real files are named by their bytes as uploads, and a model gets only what it takes, as upload and as data URI', async () => {
  const { provider, ask, create } = setUp(files[0]!.bytes)
  for (const { name, bytes, contentType } of files) {
    const upload = await ask('/v1/uploads', bytes, 'text/plain')
    expect([name, upload.status], await upload.clone().text()).toEqual([name, 201])
    const { url, content_type } = await upload.json()
    expect([name, content_type]).toEqual([name, contentType])
    const isTaken = takenTypes.includes(contentType)
    const base64 = Buffer.from(bytes).toString('base64')
    for (const image of [url, `data:${isTaken ? contentType : 'image/png'};base64,${base64}`]) {
      const before = provider.ledger.length
      const reply = await create({ model: 'taker', image })
      expect([name, reply.status]).toEqual([name, isTaken ? 200 : 400])
      if (!isTaken) expect(await reply.json()).toMatchObject({ error: { param: 'image' } })
      expect(provider.ledger.length - before).toBe(isTaken ? 1 : 0)
    }
  }
})

/** Formats whose files show that their end is missing. */
const measured = /^(?:image\/(?:png|jpeg|webp|avif)|video\/mp4)$/

test('a real file in a data URI that was cut off, also where its base64 is whole, is refused before a vendor gets it', async () => {
  const { signal } = new AbortController()
  const reading = { types, fetchFile: guardedFetch, signal, line: 'test', owner: undefined }
  const read = (type: string, base64: string) =>
    withPictures([`data:${type};base64,${base64}`], reading, async ([picture]) => picture.bytes.byteLength)
  const taken = files.filter(({ contentType }) => takenTypes.includes(contentType))
  for (const { name, bytes, contentType } of taken) {
    const base64 = Buffer.from(bytes).toString('base64')
    expect([name, await read(contentType, base64)]).toEqual([name, bytes.byteLength])
    if (!measured.test(contentType)) continue
    for (const part of [0.5, 0.7, 0.95]) {
      const cut = base64.slice(0, 4 * Math.floor((part * base64.length) / 4))
      await expect(read(contentType, cut), `${name} ${part}`).rejects.toThrow('cut off')
    }
  }
})
