/** RGB pixels, one byte per channel, rows from top to bottom. */
export interface Colours {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array | Uint8ClampedArray
}

/** A decoded picture, upright and in sRGB. */
export interface Picture {
  /** The colours, multiplied by the opacity if there is one: the picture as it looks on black. */
  readonly colours: Colours
  /** The opacity as grey values, white for opaque. `undefined` when the whole picture is opaque. */
  readonly opacity: Colours | undefined
}
