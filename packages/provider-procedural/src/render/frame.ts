/** A picture in the making: RGB, three floats a pixel, rows from the top; 0 is black, 1 is full, the rest is clipped at the end. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly pixels: Float32Array
}

export function blankFrame(width: number, height: number): Frame {
  return { width, height, pixels: new Float32Array(width * height * 3) }
}

/** What can be painted at any instant of its life, always over the whole frame. */
export interface Scene {
  paint(frame: Frame, seconds: number): void
}

/** Scenes painted one over the other, the first at the back. */
export function layered(layers: readonly Scene[]): Scene {
  return {
    paint(frame, seconds) {
      for (const layer of layers) layer.paint(frame, seconds)
    },
  }
}
