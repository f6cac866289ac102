import type { Scene } from '../render/frame.ts'

/** Up to this intensity colours stay as they are. */
const softFrom = 0.72
/** No colour becomes brighter than this. */
const brightest = 0.985

/**
 * The scene with its lights compressed, as film does it, so that bright skies and snow keep their forms and colours where a
 * frame would clip them to white.
 */
export function softLights(scene: Scene): Scene {
  const room = brightest - softFrom
  return {
    paint(frame, seconds) {
      scene.paint(frame, seconds)
      const { pixels } = frame
      for (let at = 0; at < pixels.length; at++) {
        const above = (pixels[at]! - softFrom) / room
        if (above > 0) pixels[at] = softFrom + (room * above) / Math.sqrt(1 + above * above)
      }
    },
  }
}
