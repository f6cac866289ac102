// @module-tag needs/ffmpeg
import { ffmpegFrame, variants } from '@genmount/variants'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { film, type FilmName } from './films.ts'
import { noise, variantsWorld } from './variants-world.ts'

const withPosters = { plugins: [variants({ decodeFrame: ffmpegFrame() })] }

test.each<readonly [string, FilmName]>([
  ['H.264 with its index at the beginning', 'high.mp4'],
  ['H.264 with its index at the end', 'end.mp4'],
  ['VP9 in WebM', 'vp9.webm'],
])('a film of %s has a poster: its first frame', async (_what, name) => {
  const { ask, finished, kept } = variantsWorld(await film(name), withPosters)
  const { id } = await finished()
  const whole = await ask(`/v1/files/${id}?poster`)
  expect(whole).toMatchObject({ status: 200, type: 'image/jpeg' })
  // The first frame is red, all others are blue.
  const { channels } = await sharp(whole.bytes).stats()
  expect(channels[0]!.mean).toBeGreaterThan(200)
  expect(channels[2]!.mean).toBeLessThan(50)
  for (const [query, width, format] of [
    ['poster=true&width=100&format=webp', 128, 'webp'],
    ['poster&format=png', 320, 'png'],
  ] as const)
    expect(await sharp((await ask(`/v1/files/${id}?${query}`)).bytes).metadata()).toMatchObject({
      width,
      format,
    })
  expect(await kept()).toHaveLength(3)
})

const png = await noise(30, 20).png().toBuffer()

test.each<readonly [string, () => Promise<Uint8Array>, string]>([
  ['poster=1', async () => png, 'poster must be true or false, or have no value, which means true.'],
  ['poster', async () => png, 'The output is of type image/png. Films have a poster.'],
  [
    'width=64',
    () => film('high.mp4'),
    'The output is of type video/mp4. Of a film there is a picture with poster=true.',
  ],
  [
    'poster',
    async () => (await film('high.mp4')).subarray(0, 900),
    'The first frame of this film can not be decoded.',
  ],
])('the query %s for what has no such picture is refused', async (query, make, message) => {
  const { ask, finished } = variantsWorld(await make(), withPosters)
  const { id } = await finished()
  expect(await ask(`/v1/files/${id}?${query}`)).toMatchObject({
    status: 400,
    error: { code: 'invalid_request', message },
  })
})

test('a service without a decoder sends the film in place of its poster, and its document does not show posters', async () => {
  const { ask, finished } = variantsWorld(await film('high.mp4'))
  const { id } = await finished()
  expect(await ask(`/v1/files/${id}?poster&width=64`)).toMatchObject({ status: 200, type: 'video/mp4' })
  expect(new TextDecoder().decode((await ask('/v1/openapi.json')).bytes)).not.toContain('"poster"')
})

test('a decoder that is not installed costs no more than the poster, and the log says so', async () => {
  const decodeFrame = ffmpegFrame({ program: '/nonexistent/ffmpeg' })
  const { ask, finished, log } = variantsWorld(await film('high.mp4'), {
    plugins: [variants({ decodeFrame })],
  })
  const { id } = await finished()
  for (let asked = 0; asked < 2; asked++) expect((await ask(`/v1/files/${id}?poster`)).status).toBe(400)
  expect((await ask(`/v1/files/${id}`)).status).toBe(200)
  expect(log.lines.filter((line) => line.includes('has no poster'))).toHaveLength(1)
})

test('a film that is a list of files, or names other files, makes the decoder read none of them', async () => {
  const list = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n`
  const decode = ffmpegFrame()
  for (const body of [list, `ffconcat version 1.0\nfile /etc/hostname\n`])
    await expect(
      decode({
        body: new Blob([body]).stream(),
        contentType: 'video/mp4',
        signal: AbortSignal.timeout(20_000),
      }),
    ).rejects.toThrow(/ffmpeg has ended with \d+: .*(?:moov|Invalid data|header)/s)
})

test('a decoder that takes too long is killed', async () => {
  const stop = new AbortController()
  const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
  const frame = ffmpegFrame()({ body: silent, contentType: 'video/webm', signal: stop.signal })
  stop.abort()
  await expect(frame).rejects.toThrow('aborted')
})
