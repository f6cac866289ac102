/**
 * The size of a frame with this short side and this ratio of width to height. Both sides are even, which 4:2:0 video
 * needs.
 */
export function frameSize(shortSide: number, ratio: number): { width: number; height: number } {
  const long = 2 * Math.round((shortSide * Math.max(ratio, 1 / ratio)) / 2)
  return ratio >= 1 ? { width: long, height: shortSide } : { width: shortSide, height: long }
}

/** The ratio of width to height when the input does not name one. */
export const ratioByDefault = { image: 1, video: 16 / 9 } as const

/** The number for an aspect ratio: 16/9 for `16:9`. */
export function ratioOf(aspectRatio: string): number {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  return across / down
}
