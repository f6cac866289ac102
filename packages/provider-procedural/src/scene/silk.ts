import type { Scene } from '../render/frame.ts'
import { gradient, type Rgb } from './colour.ts'
import { clamp } from './exact-math.ts'
import { noiseFrom } from './noise.ts'
import { between, type Streams } from './random.ts'
import { slowGrid } from './slow-grid.ts'
import type { View } from './view.ts'

/** Flowing folds, lit like cloth. Their heights are noise whose coordinates are shifted by other noise. */
export function silk(view: View, stops: readonly Rgb[], stream: Streams): Scene {
  const { width, height } = view
  const random = stream('silk')
  const noise = noiseFrom(random)
  const cell = view.seconds > 0 ? Math.max(3, Math.round(height / 240)) : 2
  const columns = Math.ceil(width / cell) + 3
  const rows = Math.ceil(height / cell) + 3
  const size = columns * rows
  const zoom = between(random, 0.75, 1.25)
  const stretch = between(random, 0.55, 1.6)
  const fold = between(random, 1.3, 2.1)
  const ramp = Array.from({ length: 257 }, (_, i) => gradient(stops, i / 256))

  // The first half of the grid is the height of each cell, the second half the place of its colour in the gradient.
  const flow = slowGrid(size * 2, (seconds, grid) => {
    const time = seconds * 0.07
    for (let row = 0; row < rows; row++) {
      const v = ((row * cell) / height) * zoom * stretch
      for (let column = 0; column < columns; column++) {
        const u = ((column * cell) / height) * zoom
        const a = noise.fractal(u, v, time, 3)
        const b = noise.fractal(u + 4.2, v + 1.7, time + 3, 3)
        const c = noise.fractal(u + fold * a, v + fold * b, time * 1.3, 3)
        const d = noise.at(u + fold * b + 1.7, v + fold * c + 9.2, time)
        const at = row * columns + column
        grid[at] = noise.fractal(u + fold * c * 0.8, v + fold * d * 0.8, time + 7, 3)
        grid[size + at] = clamp(0.5 + c * 0.62 + a * 0.18)
      }
    }
  })

  return {
    paint({ pixels }, seconds) {
      const field = flow(seconds)
      const relief = 150 / (cell * (1080 / height))
      for (let y = 0; y < height; y++) {
        const row = Math.floor(y / cell)
        const down = y / cell - row
        for (let x = 0; x < width; x++) {
          const column = Math.floor(x / cell)
          const across = x / cell - column
          const at = row * columns + column
          const f00 = field[at]!
          const f10 = field[at + 1]!
          const f01 = field[at + columns]!
          const f11 = field[at + columns + 1]!
          const f20 = field[at + 2]!
          const f02 = field[at + columns * 2]!
          // Blends the slopes of neighbouring cells, because otherwise the light would jump at their edges.
          const slopeX = (f10 - f00) * (1 - across) + (f20 - f10) * across
          const slopeY = (f01 - f00) * (1 - down) + (f02 - f01) * down
          const hue = size + at
          const tone =
            field[hue]! * (1 - across) * (1 - down) +
            field[hue + 1]! * across * (1 - down) +
            field[hue + columns]! * (1 - across) * down +
            field[hue + columns + 1]! * across * down
          const value =
            f00 * (1 - across) * (1 - down) +
            f10 * across * (1 - down) +
            f01 * (1 - across) * down +
            f11 * across * down
          const light = (-slopeX * 0.7 - slopeY) * relief * 0.055
          const sheen = light > 0 ? light * light * 0.5 : 0
          const place = clamp(tone + value * 0.22) * 256
          const index = Math.floor(place)
          const colour = ramp[index]!
          const shade = clamp(0.86 + light * 0.75, 0.25, 1.35)
          const to = (y * width + x) * 3
          pixels[to] = colour[0] * shade + sheen * 0.5
          pixels[to + 1] = colour[1] * shade + sheen * 0.48
          pixels[to + 2] = colour[2] * shade + sheen * 0.45
        }
      }
    },
  }
}
