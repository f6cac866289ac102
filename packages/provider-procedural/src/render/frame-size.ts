/** A frame of the proportion `ratio` (width over height) with this short side, both sides even as 4:2:0 video needs them. */
export function frameSize(shortSide: number, ratio: number): { width: number; height: number } {
  const long = 2 * Math.round((shortSide * Math.max(ratio, 1 / ratio)) / 2)
  return ratio >= 1 ? { width: long, height: shortSide } : { width: shortSide, height: long }
}

/** The proportion of a picture or film for which no other is asked. */
export const ratioByDefault = { image: 1, video: 16 / 9 } as const

/** Reads 16:9 as 16/9. */
export function ratioOf(aspectRatio: string): number {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  return across / down
}
