import { framesFault, maxFrames } from './frames.ts'

/**
 * What makes a GIF cost its decoder more than its pixels do.
 * @returns a sentence without the picture, which begins it; `undefined` when there is nothing
 */
export function gifFault(file: Uint8Array): string | undefined {
  let at = 13 + colourBytes(file[10])
  for (let frames = 0; ;) {
    const kind = file[at]
    if (kind === 0x2c) {
      if (++frames > maxFrames) return framesFault
      // The descriptor with its colours, and the size of the first code.
      at += 11 + colourBytes(file[at + 9])
    } else if (kind === 0x21) at += 2
    // The end, or what no decoder reads.
    else return undefined
    for (let length = file[at++]; length; length = file[at++]) at += length
  }
}

/** How long the table of colours is that these flags announce, with three bytes for each colour. */
function colourBytes(flags = 0): number {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0
}
