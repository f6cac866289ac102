import { spawn } from 'node:child_process'
import process from 'node:process'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { checkOptions, optional, type OptionTable, text } from '@genmount/core'
import type { DecodeFrame } from './decode-frame.ts'

/** The options of `ffmpegFrame`. */
export interface FfmpegFrameOptions {
  /** The path of the program. @default 'ffmpeg', which the system looks for on its PATH */
  readonly program?: string | undefined
}

const table = { program: optional(text(), 'ffmpeg') } satisfies OptionTable<FfmpegFrameOptions>

/** The readers of ffmpeg by media type. It gets no other file: a list of files, for example, would have it read these. */
const readers: Readonly<Record<string, 'matroska' | 'mov'>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/3gpp': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
}

/** The most pixels of a frame: somewhat more than 4096 x 2160. A decoder keeps up to 17 of them. */
const maxPixels = 10_000_000
/** The widest variant, in pixels. */
const widest = 2048
/** A PNG of that width and `maxPixels` is not longer. */
const maxFrameBytes = 40 * 1024 * 1024
const maxWordsBytes = 2000

/**
 * Decodes the first frame of MP4, MOV, 3GP, WebM and Matroska films by the program `ffmpeg`, which must be installed, in a
 * process of its own for each film. That process gets no environment but its paths, opens no file and no connection, decodes in
 * one thread, and is killed when the time is up.
 * @throws TypeError when an option is wrong
 * @example variants({ decodeFrame: ffmpegFrame() })
 */
export function ffmpegFrame(options: FfmpegFrameOptions = {}): DecodeFrame {
  const { program } = checkOptions('ffmpegFrame', options, table)
  return async ({ body, contentType, signal }) => {
    const reader = Object.hasOwn(readers, contentType) ? readers[contentType] : undefined
    if (reader === undefined) {
      await body.cancel()
      throw new Error(`Films of type ${contentType} are not decoded.`)
    }
    const { PATH, TMPDIR } = process.env
    const child = spawn(program, argumentsFor(reader), {
      env: { PATH, TMPDIR },
      killSignal: 'SIGKILL',
      signal,
    })
    // ffmpeg ends, and so the pipe breaks, as soon as it has the first frame.
    pipeline(Readable.fromWeb(body as NodeStream), child.stdin).catch(() => {})
    const ended = new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    )
    const frame: Buffer[] = []
    let words = ''
    let bytes = 0
    child.stderr.on('data', (piece: Buffer) => (words = (words + piece.toString()).slice(-maxWordsBytes)))
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > maxFrameBytes) child.kill('SIGKILL')
      else frame.push(piece)
    })
    try {
      const code = await ended
      if (code !== 0 || bytes === 0) throw new Error(`${program} has ended with ${code}: ${words.trim()}`)
      return new Uint8Array(Buffer.concat(frame))
    } finally {
      child.stdin.destroy()
    }
  }
}

/** The index of an MP4 can be at its end, so ffmpeg keeps in a file of its own what it has read of its input. */
function argumentsFor(reader: string): readonly string[] {
  const limits = ['-hide_banner', '-loglevel', 'error', '-threads', '1', '-max_pixels', String(maxPixels)]
  const input = ['-protocol_whitelist', 'cache,pipe', '-f', reader, '-i', 'cache:pipe:0']
  const frame = ['-frames:v', '1', '-an', '-sn', '-dn', '-vf', `scale='min(${widest},iw)':-1`]
  const picture = ['-f', 'image2pipe', '-c:v', 'png', 'pipe:1']
  return [...limits, ...input, ...frame, ...picture]
}
