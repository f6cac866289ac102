/** Which widths and heights a model takes, in pixels. */
export interface SizeGrid {
  /** Width and height are multiples of this number, and never 0. */
  readonly step: number
  /** The side of the square that has as many pixels as the size. @default 1024 */
  readonly side?: number | undefined
  /** The longest side. @default no limit */
  readonly most?: number | undefined
  /** Rounds the number of steps in a side. @default Math.floor, so that no size has more pixels than the square */
  readonly round?: ((steps: number) => number) | undefined
}

/**
 * Width and height for a vendor that takes these instead of an `aspect_ratio`.
 * @param ratio two positive numbers with a colon between them, such as `16:9`
 * @returns `undefined` when the text is not a ratio
 * @example sizeOfRatio('16:9', { step: 16, side: 2048 }) // { width: 2720, height: 1536 }
 */
export function sizeOfRatio(
  ratio: string,
  grid: SizeGrid,
): Readonly<Record<'width' | 'height', number>> | undefined {
  const { step, side = 1024, most = Infinity, round = Math.floor } = grid
  const [, across, down] = /^([\d.]+):([\d.]+)$/.exec(ratio) ?? []
  if (!(Number(across) > 0) || !(Number(down) > 0)) return undefined
  const stretch = Math.sqrt(Number(across) / Number(down))
  const scale = Math.min(side, most / Math.max(stretch, 1 / stretch))
  const pixels = (length: number) => Math.max(step, round((length * scale) / step) * step)
  return { width: pixels(stretch), height: pixels(1 / stretch) }
}
