/** A progressive JPEG of a camera or of an optimiser has 3 to 20 scans. A decoder goes over all pixels for each. */
const maxScans = { small: 100, large: 25 }
/** How many pixels a large picture has at least. 25 scans of 40 million pixels take about one second. */
const largePixels = 10_000_000
/** A decoder keeps segments in 20 to 50 times their memory. Large profiles and texts take some hundreds of them. */
const maxSegments = 5000

/** Frames that are lossless, hierarchical or coded arithmetically, which no browser shows (ITU-T T.81, table B.1). */
const otherFrames: ReadonlySet<number> = new Set([
  0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])

/**
 * What makes a JPEG cost its decoder more than its pixels do. It finds markers as libjpeg does: it skips whatever is no
 * marker, and ends at the first `FFD9`.
 * @returns a sentence without the picture, which begins it; `undefined` when there is nothing
 */
export function jpegFault(file: Uint8Array): string | undefined {
  const number = (at: number) => 256 * (file[at] ?? 0) + (file[at + 1] ?? 0)
  let most = maxScans.small
  for (let at = 2, scans = 0, segments = 0; at < file.length;) {
    if (file[at++] !== 0xff) continue
    while (file[at] === 0xff) at++
    const marker = file[at++] ?? 0xd9
    if (marker === 0xd9) return undefined
    // A stuffed byte, TEM, a restart or a second beginning: no segment follows.
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue
    if (otherFrames.has(marker)) return 'must be a baseline or progressive JPEG with Huffman coding.'
    // The height and the width stand behind the length and the precision.
    if (marker >= 0xc0 && marker <= 0xc2 && number(at + 3) * number(at + 5) >= largePixels)
      most = maxScans.large
    if (marker === 0xda && ++scans > most)
      return `has too many scans: a JPEG of its size may have at most ${most}.`
    if (++segments > maxSegments) return `has too many segments: a JPEG may have at most ${maxSegments}.`
    at += Math.max(2, number(at))
  }
  return undefined
}
