import { framesFault, maxFrames } from './frames.ts'

/** A decoder keeps a list of them, which takes ten times the memory of empty chunks. */
const maxChunks = 20_000

/**
 * What makes a WebP cost its decoder more than its pixels do. It reads the chunks of the file, not those within a frame.
 * @returns a sentence without the picture, which begins it; `undefined` when there is nothing
 */
export function webpFault(file: Buffer): string | undefined {
  const end = Math.min(file.length, 8 + file.readUInt32LE(4))
  for (let at = 12, chunks = 0, frames = 0; at + 8 <= end;) {
    if (file.toString('latin1', at, at + 4) === 'ANMF' && ++frames > maxFrames) return framesFault
    if (++chunks > maxChunks) return `has too many chunks: a WebP may have at most ${maxChunks}.`
    const length = file.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return undefined
}
