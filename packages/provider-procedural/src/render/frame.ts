/**
 * An unfinished picture: RGB, three floats per pixel, rows from top to bottom. 0 is black and 1 is full intensity.
 * Values outside that range are clipped when the frame is encoded.
 */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly pixels: Float32Array
}

export function blankFrame(width: number, height: number): Frame {
  return { width, height, pixels: new Float32Array(width * height * 3) }
}

/** Something that can be painted at any instant of a film. `paint` covers the whole frame. */
export interface Scene {
  paint(frame: Frame, seconds: number): void
}

/** Paints scenes one over the other. The first scene is at the back. */
export function layered(layers: readonly Scene[]): Scene {
  return {
    paint(frame, seconds) {
      for (const layer of layers) layer.paint(frame, seconds)
    },
  }
}
