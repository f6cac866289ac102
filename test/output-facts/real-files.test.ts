// @module-tag needs/ffmpeg needs/imagemagick
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { OutputFacts } from '@genmount/client'
import { type MadeFile, madeFiles } from '../media/made-files.ts'
import { outputOf } from '../processes/run-program.ts'
import { programPath } from '../suite/system-needs.ts'
import { factsOfOutputs } from './facts-world.ts'
import { disposableFolder } from '../disposable-folder.ts'

let files: readonly MadeFile[] = []
beforeAll(
  async () => void (files = [...(await madeFiles()), ...(await filmsWithSound()), ...(await turned())]),
)

/** Films of other sizes and speeds, with sound, and one that is shown on its side. */
async function filmsWithSound(): Promise<readonly MadeFile[]> {
  using folder = disposableFolder()
  const at = (name: string) => join(folder.path, name)
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=24000/1001:duration=1.5']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=1.5:sample_rate=48000']
  const types = {
    'heard.mp4': ['video/mp4', ...x264],
    'heard-fast-start.mp4': ['video/mp4', ...x264, '-movflags', '+faststart'],
    'heard-in-fragments.mp4': ['video/mp4', ...x264, '-movflags', 'frag_keyframe+empty_moov'],
    'heard.mov': ['video/quicktime', ...x264],
    'heard.webm': ['video/webm', '-c:v', 'libvpx-vp9', '-cpu-used', '8', '-c:a', 'libopus'],
  }
  const outputs = Object.entries(types).flatMap(([name, [, ...options]]) => [
    '-map',
    '0:v',
    '-map',
    '1:a',
    ...options,
    at(name),
  ])
  await outputOf([programPath('ffmpeg'), '-v', 'error', '-y', ...input, ...sound, ...outputs])
  const copy = ['-i', at('heard.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90', at('on-its-side.mp4')]
  await outputOf([programPath('ffmpeg'), '-v', 'error', ...copy])
  return [...Object.entries(types), ['on-its-side.mp4', ['video/mp4']] as const].map(([name, [type]]) => ({
    name,
    contentType: type!,
    bytes: new Uint8Array(readFileSync(at(name))),
  }))
}

/** A photo that is shown on its side, and drawings. */
async function turned(): Promise<readonly MadeFile[]> {
  const blank = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  const photo = await blank.jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const drawing = (name: string, attributes: string) => ({
    name,
    contentType: 'image/svg+xml',
    bytes: new TextEncoder().encode(
      `<?xml version="1.0"?><!-- > --><svg xmlns="http://www.w3.org/2000/svg" ${attributes}><circle r="9"/></svg>`,
    ),
  })
  return [
    { name: 'turned.jpeg', contentType: 'image/jpeg', bytes: new Uint8Array(photo) },
    drawing('sized.svg', 'width="120" height="80"'),
    drawing('viewed.svg', 'viewBox="0 0 300 150"'),
  ]
}

/** What ffprobe says of a film or sound, in our words. */
async function byFfprobe({ name, bytes }: MadeFile) {
  using folder = disposableFolder()
  const path = join(folder.path, name)
  writeFileSync(path, bytes)
  // It comes with ffmpeg.
  const ffprobe = join(dirname(programPath('ffmpeg')), 'ffprobe')
  const asJson = ['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', path]
  const { streams, format } = JSON.parse(await outputOf([ffprobe, ...asJson])) as {
    readonly format: { readonly duration: string }
    readonly streams: readonly {
      readonly codec_type: string
      readonly codec_name: string
      readonly width: number
      readonly height: number
      readonly avg_frame_rate: string
      readonly side_data_list?: readonly { readonly rotation?: number }[]
    }[]
  }
  const film = streams.find(({ codec_type: type }) => type === 'video')
  const [frames = 0, seconds = 1] = film?.avg_frame_rate.split('/').map(Number) ?? []
  const isTurned = film?.side_data_list?.some(({ rotation = 0 }) => rotation % 180 !== 0) ?? false
  return {
    width: (isTurned ? film?.height : film?.width) ?? null,
    height: (isTurned ? film?.width : film?.height) ?? null,
    duration: Number(format.duration),
    fps: film ? frames / seconds : null,
    codec: (film ?? streams[0])?.codec_name.replace(/^pcm_(\w+)le$/, 'pcm-$1'),
    has_sound: streams.some(({ codec_type: type }) => type === 'audio'),
  }
}

/** The width and height of a picture as ImageMagick shows it. */
async function byImageMagick({ name, bytes }: MadeFile) {
  using folder = disposableFolder()
  const path = join(folder.path, name)
  writeFileSync(path, bytes)
  const show = [`${path}[0]`, '-auto-orient', '-format', '%w %h', 'info:-']
  const [width, height] = (await outputOf([programPath('imagemagick'), ...show])).split(' ').map(Number)
  return { width, height, duration: null, fps: null, codec: null, has_sound: false }
}

/** Containers that are not read: see the README of the package. */
const isUnread = /\.(?:avi|m?2?ts|mpg|flv|wmv|ogv|aiff|caf)$/
/** Formats whose length is only an estimate without decoding, here and at ffprobe. */
const isEstimated = /\.(?:mp3|aac)$/

test('each fact of each format is what ffprobe or ImageMagick says of the file, and the hash is that of the download', async () => {
  expect(files.length).toBeGreaterThan(45)
  const outputs = await factsOfOutputs(files)
  for (const [index, { facts, download }] of outputs.entries()) {
    const file = files[index]!
    const { name, bytes, contentType } = file
    const sha256 = createHash('sha256').update(download).digest('hex')
    expect(Buffer.compare(download, bytes), name).toBe(0)
    expect(facts, name).toMatchObject({ content_type: contentType, bytes: bytes.byteLength, sha256 })
    if (isUnread.test(name)) expect(readOf(facts), name).toEqual({ ...unread, content_type: contentType })
    else if (contentType.startsWith('image/')) {
      // Debian's ImageMagick reads neither.
      const isOfFfmpeg = ['moving.avif', 'picture.jxl'].includes(name)
      expect(facts, name).toMatchObject(isOfFfmpeg ? { width: 64, height: 48 } : await byImageMagick(file))
    } else await expectAsFfprobe(facts, file)
  }
})

const unread = { width: null, height: null, duration: null, fps: null, codec: null, has_sound: null }

function readOf({ content_type, width, height, duration, fps, codec, has_sound }: OutputFacts) {
  return { content_type, width, height, duration, fps, codec, has_sound }
}

async function expectAsFfprobe(facts: OutputFacts, file: MadeFile): Promise<void> {
  const { name } = file
  const { duration, fps, codec, ...sizes } = await byFfprobe(file)
  expect(facts, name).toMatchObject(sizes)
  expect(
    Math.abs((facts.duration ?? 0) - duration),
    `${name}: ${facts.duration} of ${duration} s`,
  ).toBeLessThan(isEstimated.test(name) ? 0.06 : 0.03)
  expect(facts.codec, name).toBe(codec)
  if (fps === null) expect(facts.fps, name).toBeNull()
  else expect(facts.fps, name).toBeCloseTo(fps, 1)
}
