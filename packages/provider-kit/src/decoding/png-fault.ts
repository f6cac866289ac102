import { inflateSync } from 'node:zlib'

/** A decoder inflates and keeps all texts and the profile, in seven times their memory, whether or not they are asked for. */
const maxTextBytes = 16 * 1024 * 1024
const maxTexts = 1000
/** How many times longer inflated bytes can be: https://zlib.net/zlib_tech.html */
const largestRatio = 1032

const textTypes: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'iCCP'])

/**
 * What makes a PNG cost its decoder more than its pixels do.
 * @returns a sentence without the picture, which begins it; `undefined` when there is nothing
 */
export function pngFault(file: Buffer): string | undefined {
  for (let at = 8, texts = 0, left = maxTextBytes; at + 8 <= file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return undefined
    if (textTypes.has(type)) {
      if (++texts > maxTexts) return `has too many texts: a PNG may have at most ${maxTexts}.`
      left -= textBytes(type, file.subarray(at + 8, at + 8 + length), left)
      if (left < 0)
        return `has too much text: a PNG may have at most ${maxTextBytes / 2 ** 20} MiB with its profile.`
    }
    at += 12 + length
  }
  return undefined
}

/** How many bytes a decoder gets from a text or a profile; at least `most` + 1 when it is more than `most`. */
function textBytes(type: string, data: Buffer, most: number): number {
  const compressedAt = compressedPart(type, data)
  if (compressedAt === undefined) return data.length
  const compressed = data.subarray(compressedAt)
  try {
    return compressedAt + inflateSync(compressed, { maxOutputLength: most + 1 }).length
  } catch {
    // It is longer than that, or broken somewhere, and a decoder gets what is in front of that place.
    return Math.min(most + 1, compressedAt + compressed.length * largestRatio)
  }
}

/** Where the compressed part begins: https://www.w3.org/TR/png-3/#11textinfo. @returns `undefined` when there is none */
function compressedPart(type: string, data: Buffer): number | undefined {
  const nameEnd = data.indexOf(0)
  if (type === 'tEXt') return undefined
  // One byte for the method.
  if (type !== 'iTXt') return nameEnd + 2
  if (data[nameEnd + 1] !== 1) return undefined
  const languageEnd = data.indexOf(0, nameEnd + 3)
  return data.indexOf(0, languageEnd + 1) + 1
}
