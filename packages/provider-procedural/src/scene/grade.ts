import type { Scene } from '../render/frame.ts'
import type { Rgb } from './colour.ts'
import { exp } from './exact-math.ts'
import type { View } from './view.ts'

/** The last step of a picture: it darkens the corners, and spreads light from the sun or moon over everything. */
export function grade(
  { width, height }: View,
  light: { x: number; y: number; colour: Rgb; strength: number },
): Scene {
  const across = Float32Array.from({ length: width }, (_, x) => falloff((x / width - 0.5) * 2))
  const down = Float32Array.from({ length: height }, (_, y) => falloff((y / height - 0.5) * 2))
  const spread = height * 0.42
  const veilX = Float32Array.from({ length: width }, (_, x) => bell((x - light.x) / spread))
  const veilY = Float32Array.from({ length: height }, (_, y) => bell((y - light.y) / spread) * light.strength)
  const [red, green, blue] = light.colour
  return {
    paint({ pixels }) {
      let at = 0
      for (let y = 0; y < height; y++) {
        const row = down[y]!
        const veilRow = veilY[y]!
        for (let x = 0; x < width; x++, at += 3) {
          const keep = row * across[x]!
          const veil = veilRow * veilX[x]!
          pixels[at] = pixels[at]! * keep + red * veil
          pixels[at + 1] = pixels[at + 1]! * keep + green * veil
          pixels[at + 2] = pixels[at + 2]! * keep + blue * veil
        }
      }
    },
  }
}

function falloff(place: number): number {
  return 1 - 0.16 * place * place * place * place
}

function bell(distance: number): number {
  return exp(-distance * distance)
}
