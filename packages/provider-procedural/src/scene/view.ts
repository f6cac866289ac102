/** The size of the frame that a scene fills, and how long the camera moves. */
export interface View {
  readonly width: number
  readonly height: number
  /** The length of the film; 0 for a still picture. */
  readonly seconds: number
}

/** How far the foreground has moved sideways after `seconds`, in pixels. */
export function cameraShift(view: View, seconds: number): number {
  return seconds * view.height * 0.035
}

/**
 * How many pixels wider than the frame a layer must be, because the camera moves. `depth` is from 0 for far to 1 for
 * near.
 */
export function overscan(view: View, depth: number): number {
  return Math.ceil(cameraShift(view, view.seconds) * depth) + 2
}
