import type { Scene } from '../render/frame.ts'
import { smoothstep } from './exact-math.ts'
import type { Noise } from './noise.ts'
import type { View } from './view.ts'

/** How far the shafts reach to each side at the bottom of the picture, in picture heights. */
const reach = 4
/** Into how many slices the fan of shafts is divided. */
const slices = 2048

/** Shafts of light that fan out from above and move slowly. */
export function lightShafts({ width, height }: View, noise: Noise, sourceX: number): Scene {
  const beams = new Float32Array(slices)
  return {
    paint({ pixels }, seconds) {
      for (let slice = 0; slice < slices; slice++) {
        const fan = (slice / slices - 0.5) * 2 * reach
        const beam = noise.at(fan * 5.5, seconds * 0.22, 1) + 0.55 * noise.at(fan * 13, seconds * 0.35, 5)
        beams[slice] = smoothstep(0.05, 0.8, beam)
      }
      let at = 0
      for (let y = 0; y < height; y++) {
        const down = y / height
        const fade = (1 - down) * (1 - down) * 0.5
        const step = slices / (2 * reach * height * (0.55 + down * 0.75))
        for (let x = 0; x < width; x++, at += 3) {
          const place = Math.min(Math.max((x - sourceX) * step + slices / 2, 0), slices - 1.001)
          const slice = Math.floor(place)
          const light = (beams[slice]! + (beams[slice + 1]! - beams[slice]!) * (place - slice)) * fade
          pixels[at]! += light * 0.75
          pixels[at + 1]! += light
          pixels[at + 2]! += light * 0.92
        }
      }
    },
  }
}
