import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { render } from './render.ts'
import type { ImageOrder, RenderOrder, VideoOrder } from './render-order.ts'

const image: ImageOrder = {
  kind: 'image',
  prompt: 'a mountain lake at sunset, birds',
  seed: 7,
  shortSide: 240,
  aspectRatio: '16:9',
  picture: undefined,
  count: 1,
  format: 'png',
}
const video: VideoOrder = {
  kind: 'video',
  prompt: 'a sailing boat on the sea at dawn',
  seed: 7,
  shortSide: 120,
  aspectRatio: undefined,
  picture: undefined,
  fps: 12,
  frameCount: 15,
}

async function filesOf(order: RenderOrder): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const reply = await render(order)
  if (!('files' in reply)) throw new Error(reply.message)
  return reply.files.map(({ bytes }) => bytes)
}

async function fileOf(order: RenderOrder): Promise<Uint8Array<ArrayBuffer>> {
  const [file] = await filesOf(order)
  if (file === undefined) throw new Error('There is no file.')
  return file
}

/** The average difference between two pictures of one size, 0 to 255. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const pixelsOf = (file: Uint8Array): Promise<Uint8Array> => sharp(file).removeAlpha().raw().toBuffer()
  const [a, b] = await Promise.all([pixelsOf(one), pixelsOf(other)])
  expect(a.length).toBe(b.length)
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length
}

function photo(width = 300, height = 200): Promise<Uint8Array> {
  const pixels = new Uint8Array(width * height * 3).map((_, i) =>
    i % 3 === 0 ? i / 700 : (i % (width * 3)) / 4,
  )
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
}

test('pictures that are rendered one after another do not add up in memory', async () => {
  const picture = new Uint8Array(await photo())
  const before = process.memoryUsage().arrayBuffers
  await render({ ...image, shortSide: 720, count: 4, picture })
  // A picture of 720p takes 11 MB while it is drawn. Only the files and one copy of the given picture may remain in
  // memory.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000)
})

test.each([
  'a mountain lake at sunset, birds',
  'snowfall in the alps',
  'a misty pine forest',
  'an autumn forest',
  'the open sea in a storm with a lighthouse',
  'a tropical beach',
  'a sailing boat',
  'tokyo, neon lights in the rain',
  'dunes in the sahara',
  'a flower meadow in spring with hot air balloons',
  'an erupting volcano',
  'saturn in a nebula',
  'a coral reef',
  'the northern lights over a starry night',
  'an abstract dream',
  'the sound of jazz',
  'bauhaus circles',
  'xyzzy',
  '猫が踊る',
  '\ud800',
])('the prompt %j is drawn as a picture that is not blank, with the same bytes each time', async (prompt) => {
  const order = { ...image, prompt, shortSide: 120 }
  const file = await fileOf(order)
  expect(Buffer.compare(file, await fileOf(order))).toBe(0)
  const { channels } = await sharp(file).stats()
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(8)
})

// `frame-size.test.ts` has the sizes of all resolutions.
test.each([
  ['16:9', 480, 854, 480],
  ['9:16', 120, 120, 214],
  [undefined, 120, 120, 120],
] as const)(
  'a procedural picture of aspect ratio %s with a short side of %i pixels has %i x %i pixels',
  async (aspectRatio, shortSide, width, height) => {
    const metadata = await sharp(await fileOf({ ...image, aspectRatio, shortSide })).metadata()
    expect(metadata).toMatchObject({ width, height, format: 'png', channels: 3 })
  },
)

test.each(['png', 'webp', 'jpeg'] as const)(
  'a procedural picture in the format %s is a file of this format without metadata',
  async (format) => {
    const metadata = await sharp(await fileOf({ ...image, format })).metadata()
    expect(metadata).toMatchObject({ format, width: 426, height: 240 })
    expect([metadata.exif, metadata.xmp, metadata.icc, metadata.iptc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  },
)

test('the outputs of one job differ from one another, and from those of another seed or prompt', async () => {
  const [first, second, third, fourth] = await filesOf({ ...image, count: 4 })
  const others = [
    second,
    third,
    fourth,
    await fileOf({ ...image, seed: 8 }),
    await fileOf({ ...image, prompt: 'a forest' }),
  ]
  for (const other of others) expect(await difference(first!, other!)).toBeGreaterThan(5)
  expect(Buffer.compare(first!, await fileOf(image))).toBe(0)
})

test.each([
  'sunset',
  'a pencil sketch',
  'an oil painting',
  'pixel art',
  'a pop art poster',
  'duotone',
  'black-and-white',
  'dreamy',
  'inverted',
  'xyzzy',
])('an edit with the prompt %j visibly changes the picture and keeps its shape', async (prompt) => {
  const picture = await photo()
  const order = { ...image, prompt, picture, aspectRatio: undefined, shortSide: 200 }
  const edited = await fileOf(order)
  expect(await sharp(edited).metadata()).toMatchObject({ width: 300, height: 200 })
  expect(await difference(edited, await sharp(picture).png().toBuffer())).toBeGreaterThan(6)
  expect(Buffer.compare(edited, await fileOf(order))).toBe(0)
})

test('an edited picture is cropped to the aspect ratio of the input, and a very long picture to 2:1', async () => {
  const square = await fileOf({ ...image, picture: await photo(), aspectRatio: '1:1' })
  expect(await sharp(square).metadata()).toMatchObject({ width: 240, height: 240 })
  const strip = await fileOf({ ...image, picture: await photo(900, 30), aspectRatio: undefined })
  expect(await sharp(strip).metadata()).toMatchObject({ width: 480, height: 240 })
})

test('an edit of a picture that is a few pixels high and very long does not enlarge the whole picture, which would take gigabytes', async () => {
  const strip = await sharp({ create: { width: 200_000, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const edited = await fileOf({ ...image, picture: strip, aspectRatio: undefined, shortSide: 240 })
  expect(await sharp(edited).metadata()).toMatchObject({ width: 480, height: 240 })
})

test('an edit turns a photo as its EXIF orientation says', async () => {
  const turned = await sharp(await photo(300, 200))
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const file = await fileOf({ ...image, picture: turned, aspectRatio: undefined, shortSide: 200 })
  expect(await sharp(file).metadata()).toMatchObject({ width: 200, height: 300 })
})

test.each(['grey', 'transparent', 'animated'])('an edit of a %s picture gives a picture', async (kind) => {
  const base = sharp(await photo())
  const picture = await (
    kind === 'grey'
      ? base.greyscale().png()
      : kind === 'transparent'
        ? base.ensureAlpha(0.5).webp()
        : base.gif()
  ).toBuffer()
  expect((await fileOf({ ...image, picture })).length).toBeGreaterThan(1000)
})

test('an edit rejects a broken picture with the formats that it accepts', async () => {
  const broken = (await photo()).subarray(0, 900)
  for (const order of [image, video]) {
    expect(await render({ ...order, picture: broken })).toEqual({
      code: 'provider_rejected',
      message: expect.stringMatching(/^image .*PNG, JPEG, WebP or GIF/),
    })
  }
})

test('an edit rejects a small file that decodes to a huge picture', async () => {
  const huge = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  expect(await render({ ...image, picture: huge })).toEqual({
    code: 'provider_rejected',
    message: 'image has more than 40 million pixels.',
  })
})

test('a procedural film is H.264 in an MP4 that plays before all of it has arrived, with the frames of duration and fps', async () => {
  const file = await fileOf(video)
  const boxes = boxesOf(file)
  expect(boxes.indexOf('ftyp')).toBe(0)
  expect(boxes.indexOf('moov')).toBeGreaterThan(0)
  expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'))

  const input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  expect(track?.codec).toBe('avc')
  expect(await track?.getCodecParameterString()).toMatch(/^avc1\.42/)
  expect([track?.displayWidth, track?.displayHeight]).toEqual([214, 120])
  expect(await input.computeDuration()).toBeCloseTo(15 / 12, 6)
  const { packetCount, averagePacketRate } = (await track?.computePacketStats()) ?? {}
  expect(packetCount).toBe(15)
  expect(averagePacketRate).toBeCloseTo(12, 6)
  const starts: number[] = []
  for await (const packet of new EncodedPacketSink(track!).packets()) {
    if (packet.type === 'key') starts.push(packet.timestamp)
  }
  // A player can start at every full second, and at no other time.
  expect(starts).toEqual([0, 1])
  expect(await track?.getColorSpace()).toMatchObject({
    primaries: 'bt709',
    matrix: 'bt709',
    fullRange: false,
  })
})

test.each([
  'a sailing boat on the sea at dawn',
  'a coral reef',
  'an abstract dream',
  'a ringed planet',
  'neon city',
])('the frames of a film of %j differ, and the film has the same bytes each time', async (prompt) => {
  // Only the first of them is a key frame.
  const order = { ...video, prompt, frameCount: 8 }
  const file = await fileOf(order)
  expect(Buffer.compare(file, await fileOf(order))).toBe(0)
  const still = await fileOf({ ...order, frameCount: 1 })
  // Frames that repeat the first frame would take only a few bytes each.
  expect(file.length).toBeGreaterThan(still.length * 1.3)
})

test.each(['zoom in', 'zoom out', 'pan left', 'pan right', 'tilt up', 'pan down', 'snowfall'])(
  'a picture and the prompt %j become a film in the shape of the picture, with the same bytes each time',
  async (prompt) => {
    const order = { ...video, prompt, picture: new Uint8Array(await photo()), frameCount: 4 }
    const file = await fileOf(order)
    const track = await new Input({
      source: new BufferSource(file),
      formats: ALL_FORMATS,
    }).getPrimaryVideoTrack()
    expect([track?.displayWidth, track?.displayHeight]).toEqual([180, 120])
    expect(Buffer.compare(file, await fileOf(order))).toBe(0)
  },
)

function boxesOf(file: Uint8Array<ArrayBuffer>): string[] {
  const view = new DataView(file.buffer)
  const types: string[] = []
  for (let at = 0; at < file.length; at += view.getUint32(at)) {
    types.push(String.fromCharCode(...file.subarray(at + 4, at + 8)))
  }
  return types
}
