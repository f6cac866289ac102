import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { enlarge } from './enlarge.ts'
import type { EnlargeOrder } from './enlarge-order.ts'

const order = { scale: 2, format: 'png', maxOutputPixels: 1e6 } as const

async function enlarged(picture: Uint8Array, more: Partial<EnlargeOrder> = {}): Promise<Uint8Array> {
  const reply = await enlarge({ ...order, ...more, picture })
  if ('code' in reply) throw new Error(reply.message)
  return reply.file
}

const rectangle = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3a6' } })

/** A red disc on a transparent background, as drawing programs save it: transparent pixels are black. */
const disc = () =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="14" fill="#f00"/></svg>',
    ),
  )

async function pixelsOf(file: Uint8Array) {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  return (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, info.channels),
  ]
}

test.each([
  ['png', 2],
  ['webp', 4],
  ['jpeg', 2],
] as const)('a %s comes out %i times as wide and high', async (format, scale) => {
  const reply = await enlarge({ ...order, format, scale, picture: await rectangle(30, 20).jpeg().toBuffer() })
  if ('code' in reply) throw new Error(reply.message)
  expect(reply).toMatchObject({ contentType: `image/${format}`, outputPixels: 600 * scale ** 2 })
  const size = { width: 30 * scale, height: 20 * scale }
  expect(await sharp(reply.file).metadata()).toMatchObject({ format, hasAlpha: false, ...size })
})

test('esrgan enlarges a picture in a data URI to the same bytes as the picture itself', async () => {
  const png = await disc().png().toBuffer()
  const first = await enlarged(png)
  const reply = await enlarge({ ...order, picture: `data:image/png;base64,${png.toString('base64')}` })
  expect('file' in reply && Buffer.from(reply.file).equals(first)).toBe(true)
})

test('an enlarged PNG keeps its transparency, without hidden colours at the border', async () => {
  const pixel = await pixelsOf(await enlarged(await disc().png().toBuffer()))
  expect(pixel(40, 40)).toEqual([expect.any(Number), 0, 0, 255])
  expect(pixel(40, 40)[0]).toBeGreaterThan(250)
  expect(pixel(2, 2)[3]).toBe(0)
  for (let x = 0; x < 80; x++) {
    const [red, green, , alpha] = pixel(x, 40)
    if (alpha! < 32) continue
    expect(red, `red at ${x}`).toBeGreaterThan(225)
    expect(green, `green at ${x}`).toBeLessThan(30)
  }
})

test('an enlarged JPEG is white where the picture was transparent', async () => {
  const pixel = await pixelsOf(await enlarged(await disc().png().toBuffer(), { format: 'jpeg' }))
  expect(Math.min(...pixel(2, 2))).toBeGreaterThan(250)
})

test('an enlarged picture in grey, 16 bits, CMYK or a palette keeps its colours', async () => {
  const files = {
    grey: await rectangle(16, 16).greyscale().png().toBuffer(),
    '16 bits': await rectangle(16, 16).toColourspace('rgb16').png().toBuffer(),
    cmyk: await rectangle(16, 16).toColourspace('cmyk').jpeg().toBuffer(),
    palette: await rectangle(16, 16).png({ palette: true }).toBuffer(),
    gif: await rectangle(16, 16).gif().toBuffer(),
  }
  for (const [name, file] of Object.entries(files)) {
    const meant = (await pixelsOf(await sharp(file).toColourspace('srgb').png().toBuffer()))(8, 8)
    const [red, green, blue] = (await pixelsOf(await enlarged(file)))(16, 16)
    const [red2 = 0, green2 = red2, blue2 = red2] = meant.length < 3 ? [meant[0]!] : meant
    for (const [is, was] of [
      [red, red2],
      [green, green2],
      [blue, blue2],
    ] as const)
      expect(Math.abs(is! - was), `${name} ${[red, green, blue]} for ${meant}`).toBeLessThanOrEqual(3)
  }
})

test('an enlarged photograph follows the orientation in its EXIF data', async () => {
  const lying = await rectangle(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await sharp(await enlarged(lying)).metadata()).toMatchObject({ width: 40, height: 60 })
})

test('esrgan enlarges a picture of a single pixel', async () => {
  expect(
    await sharp(await enlarged(await rectangle(1, 1).png().toBuffer(), { scale: 4 })).metadata(),
  ).toMatchObject({ width: 4, height: 4 })
})

test.each([
  ['text', () => new TextEncoder().encode('no picture at all'), 'could not be decoded'],
  [
    'half a file',
    async () => (await rectangle(300, 200).png().toBuffer()).subarray(0, 200),
    'could not be decoded',
  ],
  [
    'more pixels than are allowed',
    () => rectangle(501, 500).png().toBuffer(),
    '501 x 500 pixels: this model accepts at most 250000',
  ],
  ['a side that no WebP can have', () => rectangle(8192, 1).png().toBuffer(), '8191 per side'],
])('%s is refused with the reason', async (_name, make, reason) => {
  const reply = await enlarge({ ...order, picture: await make() })
  expect(reply).toEqual({ code: 'provider_rejected', message: expect.stringContaining(reason) })
})

test('esrgan refuses a small file of a huge picture by its size, without decoding it', async () => {
  const bomb = await rectangle(8, 8).png().toBuffer()
  bomb.writeUInt32BE(12_000, 16)
  bomb.writeUInt32BE(12_000, 20)
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
  expect(await enlarge({ ...order, picture: bomb })).toEqual({
    code: 'provider_rejected',
    message: expect.stringContaining('12000 x 12000'),
  })
})
