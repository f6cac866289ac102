/** RGB, one byte a channel, rows from the top. */
export interface Colours {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array | Uint8ClampedArray
}

/** A picture, upright and in sRGB. */
export interface Picture {
  /** Where there is `opacity`, multiplied by it: the picture as it looks on black. */
  readonly colours: Colours
  /** As greys, white where the picture is opaque. Absent where it is opaque all over. */
  readonly opacity: Colours | undefined
}
