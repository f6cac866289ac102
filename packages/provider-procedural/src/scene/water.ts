import type { Scene } from '../render/frame.ts'
import { type Rgb } from './colour.ts'
import { clamp, smoothstep } from './exact-math.ts'
import type { Noise } from './noise.ts'
import type { Palette } from './palette.ts'
import type { Luminary } from './sky.ts'
import { cameraShift, type View } from './view.ts'

export interface WaterForm {
  /** The y of the far edge. */
  readonly from: number
  /** The y of the near edge. */
  readonly to: number
  readonly colour: Rgb
  /** From 0 for a surface like a mirror to 1 for the open sea. */
  readonly swell: number
}

/**
 * Water with waves in perspective. It mirrors everything that was painted above its far edge before, and the sun or
 * moon.
 */
export function water(
  view: View,
  palette: Palette,
  noise: Noise,
  luminary: Luminary,
  form: WaterForm,
): Scene {
  const { from, to, colour, swell } = form
  const { width } = view
  const cell = Math.max(4, Math.round(view.height / 120))
  const columns = Math.ceil(width / cell) + 2
  const waves = new Float32Array(columns)
  const [sunRed, sunGreen, sunBlue] = palette.sun
  const sparkle = luminary.isMoon ? 0.5 : 0.8

  function roll(scale: number, shift: number, seconds: number): void {
    for (let column = 0; column < columns; column++) {
      const x = ((column * cell - width / 2 + shift * 0.5) / view.height) * (scale * 0.55 + 1.2)
      waves[column] =
        noise.at(x * 1.6, scale * 2.2 - seconds * 0.5, seconds * 0.45) +
        0.6 * noise.at(x * 4.1 + 7, scale * 5.3 - seconds * 0.9, seconds * 0.8) +
        0.4 * noise.at(x * 10.3, scale * 13 - seconds * 1.6, seconds * 1.1)
    }
  }

  return {
    paint(frame, seconds) {
      const { pixels } = frame
      const shift = cameraShift(view, seconds)
      for (let y = Math.ceil(from); y < Math.min(to, frame.height); y++) {
        const near = (y - from) / (view.height - from)
        const scale = 2.4 / (near + 0.04)
        // Near waves are long, so computing every second row is enough there.
        if (near < 0.15 || (y & 1) === 0) roll(scale, shift, seconds)
        const rise = view.height * (0.006 + 0.05 * swell) * (0.15 + near)
        const sway = view.height * 0.012 * (0.2 + near) * (1 + swell)
        const depth = clamp(0.16 + near * (0.42 + 0.3 * swell))
        const path = width * (0.025 + near * (0.1 + 0.1 * swell))
        for (let x = 0; x < width; x++) {
          const grid = x / cell
          const column = Math.floor(grid)
          const wave = waves[column]! + (waves[column + 1]! - waves[column]!) * (grid - column)
          const mirrorY = Math.floor(clamp(2 * from - y - 1 + wave * rise * 2, 0, from - 1))
          const mirrorX = Math.floor(clamp(x + wave * sway, 0, width - 1))
          const source = (mirrorY * width + mirrorX) * 3
          const target = (y * width + x) * 3
          const own = clamp(depth - wave * 0.16)
          const crest = 1 + wave * (0.1 + 0.22 * swell)
          const aside = (x - luminary.x) / path
          const glint = (sparkle * smoothstep(0.2, 0.75, wave + 0.1)) / (1 + aside * aside * aside * aside)
          const through = (1 - own) * 0.94
          pixels[target] = pixels[source]! * through + colour[0] * own * crest + sunRed * glint
          pixels[target + 1] = pixels[source + 1]! * through + colour[1] * own * crest + sunGreen * glint
          pixels[target + 2] = pixels[source + 2]! * through + colour[2] * own * crest + sunBlue * glint * 0.9
        }
      }
    },
  }
}
