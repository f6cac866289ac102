import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { outputOf } from '../processes/run-program.ts'
import { sharedServer } from '../suite/shared-server.ts'
import { programPath } from '../suite/system-needs.ts'
import { disposableFolder } from '../disposable-folder.ts'

/** A file of a real program, and what it is. */
export interface MadeFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

const tiny = ['-frames:v', '2', '-s', '64x48', '-pix_fmt', 'yuv420p']
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', ...tiny]

/** The files that ffmpeg makes: name, media type and options. */
const byFfmpeg: readonly (readonly [name: string, contentType: string, options: readonly string[]])[] = [
  ['isom.mp4', 'video/mp4', x264],
  ['fast-start.mp4', 'video/mp4', [...x264, '-movflags', '+faststart']],
  ['fragmented.mp4', 'video/mp4', [...x264, '-movflags', 'frag_keyframe+empty_moov']],
  ['dash.mp4', 'video/mp4', [...x264, '-movflags', 'dash+frag_keyframe+empty_moov']],
  ['apple.m4v', 'video/mp4', [...x264, '-f', 'ipod']],
  ['film.mov', 'video/quicktime', x264],
  ['film.3gp', 'video/3gpp', ['-c:v', 'mpeg4', ...tiny]],
  ['film.mkv', 'video/x-matroska', x264],
  ['film.webm', 'video/webm', ['-c:v', 'libvpx', ...tiny]],
  ['film.avi', 'video/x-msvideo', ['-c:v', 'mpeg4', ...tiny]],
  ['film.ts', 'video/mp2t', ['-c:v', 'mpeg2video', ...tiny]],
  ['disc.m2ts', 'video/mp2t', ['-c:v', 'mpeg2video', ...tiny, '-mpegts_m2ts_mode', '1']],
  ['film.mpg', 'video/mpeg', ['-c:v', 'mpeg2video', ...tiny]],
  ['film.flv', 'video/x-flv', ['-c:v', 'flv', ...tiny]],
  ['film.wmv', 'video/x-ms-wmv', ['-c:v', 'wmv2', ...tiny]],
  ['film.ogv', 'video/ogg', ['-c:v', 'libtheora', ...tiny]],
  ['moving.avif', 'image/avif', ['-c:v', 'libaom-av1', '-cpu-used', '8', ...tiny]],
  ['moving.png', 'image/png', ['-f', 'apng', '-frames:v', '2']],
  ['moving.gif', 'image/gif', ['-frames:v', '2']],
  ['moving.webp', 'image/webp', ['-c:v', 'libwebp_anim', '-frames:v', '2']],
  ['picture.bmp', 'image/bmp', ['-frames:v', '1']],
  ['picture.jxl', 'image/jxl', ['-frames:v', '1']],
  ['sound.mp3', 'audio/mpeg', []],
  ['bare.mp3', 'audio/mpeg', ['-id3v2_version', '0', '-write_xing', '0']],
  ['sound.wav', 'audio/wav', []],
  ['sound.ogg', 'audio/ogg', ['-c:a', 'libvorbis']],
  ['sound.opus', 'audio/ogg', []],
  ['sound.flac', 'audio/flac', []],
  ['sound.m4a', 'audio/mp4', []],
  ['sound.aac', 'audio/aac', []],
  ['sound.aiff', 'audio/aiff', []],
  ['sound.caf', 'audio/x-caf', []],
]

async function madeByFfmpeg(folder: string): Promise<readonly MadeFile[]> {
  const pictures = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=0.4']
  const sounds = ['-f', 'lavfi', '-i', 'sine=duration=0.2:sample_rate=48000']
  const outputs = byFfmpeg.flatMap(([name, type, options]) => [
    '-map',
    type.startsWith('audio/') ? '1:a' : '0:v',
    ...options,
    join(folder, name),
  ])
  await outputOf([programPath('ffmpeg'), '-v', 'error', '-y', ...pictures, ...sounds, ...outputs])
  return byFfmpeg.map(([name, contentType]) => ({ name, contentType, bytes: read(join(folder, name)) }))
}

async function madeByImageMagick(folder: string): Promise<readonly MadeFile[]> {
  const types = {
    'picture.heic': 'image/heic',
    'old.bmp': 'image/bmp',
    'icon.ico': 'image/x-icon',
    'picture.jp2': 'image/jp2',
    'picture.psd': 'image/vnd.adobe.photoshop',
    'intel.tiff': 'image/tiff',
    'motorola.tiff': 'image/tiff',
  }
  const options: Readonly<Record<string, readonly string[]>> = {
    'intel.tiff': ['-define', 'tiff:endian=lsb'],
    'motorola.tiff': ['-define', 'tiff:endian=msb'],
  }
  return Promise.all(
    Object.entries(types).map(async ([name, contentType]) => {
      const path = join(folder, name)
      const to = name === 'old.bmp' ? `bmp3:${path}` : path
      await outputOf([
        programPath('imagemagick'),
        '-size',
        '48x48',
        'gradient:',
        ...(options[name] ?? []),
        to,
      ])
      return { name, contentType, bytes: read(path) }
    }),
  )
}

async function madeBySharp(): Promise<readonly MadeFile[]> {
  const blank = () => sharp({ create: { width: 48, height: 48, channels: 3, background: 'teal' } })
  const formats = ['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const
  return Promise.all(
    formats.map(async (format) => ({
      name: `sharp.${format}`,
      contentType: `image/${format}`,
      bytes: new Uint8Array(await blank().toFormat(format).toBuffer()),
    })),
  )
}

/** A film whose index comes before its brands, as QuickTime has written it, and one with empty room in front. */
function withoutBrands(film: MadeFile): readonly MadeFile[] {
  const view = new DataView(film.bytes.buffer)
  const bytes = film.bytes.slice(view.getUint32(0))
  const wide = Uint8Array.from([0, 0, 0, 8, ...new TextEncoder().encode('wide'), ...bytes])
  return [
    { ...film, name: 'without-brands.mov', bytes },
    { ...film, name: 'wide.mov', bytes: wide },
  ]
}

async function makeFiles(): Promise<readonly MadeFile[]> {
  using folder = disposableFolder()
  const [ffmpeg, magick, others] = await Promise.all([
    madeByFfmpeg(folder.path),
    madeByImageMagick(folder.path),
    madeBySharp(),
  ])
  return [...ffmpeg, ...withoutBrands(ffmpeg.find(({ name }) => name === 'film.mov')!), ...magick, ...others]
}

interface SentFile extends Omit<MadeFile, 'bytes'> {
  readonly base64: string
}

/** The files as a text, which `madeFiles` reads. */
export async function textOfFiles(): Promise<string> {
  const sent = (await makeFiles()).map(({ bytes, ...file }): SentFile => ({
    ...file,
    base64: Buffer.from(bytes).toString('base64'),
  }))
  return JSON.stringify(sent)
}

/** Files of more than 40 formats and brands, made by ffmpeg, ImageMagick and sharp, once for a run of the tests. */
export async function madeFiles(): Promise<readonly MadeFile[]> {
  const sent = JSON.parse(await sharedServer('media')) as readonly SentFile[]
  return sent.map(({ base64, ...file }) => ({
    ...file,
    bytes: new Uint8Array(Buffer.from(base64, 'base64')),
  }))
}

function read(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path))
}
