/** What a scene is composed for: the frame, and for how long the camera moves. */
export interface View {
  readonly width: number
  readonly height: number
  /** How long the film is; 0 for a still picture. */
  readonly seconds: number
}

/** How far the camera has moved sideways after `seconds`, in pixels of the very foreground. */
export function cameraShift(view: View, seconds: number): number {
  return seconds * view.height * 0.035
}

/** How many extra pixels a layer needs on its right so that the camera never runs off it; `depth` is 0 far, 1 near. */
export function overscan(view: View, depth: number): number {
  return Math.ceil(cameraShift(view, view.seconds) * depth) + 2
}
