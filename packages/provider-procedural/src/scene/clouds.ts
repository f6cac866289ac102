import type { Scene } from '../render/frame.ts'
import { blend } from './colour.ts'
import { clamp, smoothstep } from './exact-math.ts'
import type { Noise } from './noise.ts'
import type { Palette } from './palette.ts'
import type { Luminary } from './sky.ts'
import { slowGrid } from './slow-grid.ts'
import type { View } from './view.ts'

export interface CloudCover {
  /** From 0 for a clear sky to 1 for an overcast sky. */
  readonly cover: number
  /** The y of the lower end of the clouds, in pixels. */
  readonly floor: number
}

/**
 * Clouds in perspective that drift and change, lit by the sun or moon. They are soft, so a coarse grid of values is
 * enough.
 */
export function clouds(
  view: View,
  noise: Noise,
  palette: Palette,
  luminary: Luminary,
  { cover, floor }: CloudCover,
): Scene {
  const cell = view.seconds > 0 ? Math.max(3, Math.round(view.height / 240)) : 2
  const columns = Math.ceil(view.width / cell) + 2
  const rows = Math.ceil(floor / cell) + 2
  const size = columns * rows
  // A low sun lights the lower side of the clouds, a high sun their upper side.
  const up = luminary.y > floor * 0.6 ? 1 : -1
  const threshold = 0.4 - cover * 0.8
  const octaves = view.seconds > 0 ? 4 : 6
  const [litRed, litGreen, litBlue] = palette.cloudLit
  const [shadeRed, shadeGreen, shadeBlue] = blend(palette.cloudShade, palette.cloudLit, 0.08)
  const alphas = new Float32Array(columns)
  const lights = new Float32Array(columns)

  // The first half of the grid is the density of each cell, the second half the light on each cell.
  const formed = slowGrid(size * 2, (seconds, grid) => {
    for (let row = 0; row < rows; row++) {
      const y = (row * cell) / floor
      // Clouds flatten and shrink towards the horizon.
      const depth = 1 / (1.18 - Math.min(y, 1))
      for (let column = 0; column < columns; column++) {
        const x = ((column * cell - view.width / 2) / view.height) * (0.6 + depth * 0.42)
        const drift = seconds * 0.05
        const body = noise.fractal(x * 1.5 + drift, depth * 2.6, seconds * 0.045, octaves)
        const toLight = noise.fractal(
          x * 1.5 + drift + (luminary.x / view.width - 0.5) * 0.14,
          depth * 2.6 + up * 0.13,
          seconds * 0.045,
          3,
        )
        const at = row * columns + column
        const fade = smoothstep(1.02, 0.8, y)
        grid[at] = smoothstep(threshold, threshold + 0.42, body) * fade
        grid[size + at] = clamp(0.62 + (body - toLight) * 0.9 - grid[at]! * 0.28)
      }
    }
  })

  return {
    paint(frame, seconds) {
      const grid = formed(seconds)
      const { pixels, width } = frame
      for (let y = 0; y < floor; y++) {
        const row = Math.floor(y / cell)
        const down = y / cell - row
        // Blends vertically once per row, so that each pixel is only blended horizontally.
        for (let column = 0; column < columns; column++) {
          const at = row * columns + column
          const under = size + at
          alphas[column] = grid[at]! + (grid[at + columns]! - grid[at]!) * down
          lights[column] = grid[under]! + (grid[under + columns]! - grid[under]!) * down
        }
        let to = y * width * 3
        for (let x = 0; x < width; x++, to += 3) {
          const column = Math.floor(x / cell)
          const across = x / cell - column
          const alpha = (alphas[column]! + (alphas[column + 1]! - alphas[column]!) * across) * 0.92
          if (alpha < 0.004) continue
          const lit = lights[column]! + (lights[column + 1]! - lights[column]!) * across
          pixels[to]! += (shadeRed + (litRed - shadeRed) * lit - pixels[to]!) * alpha
          pixels[to + 1]! += (shadeGreen + (litGreen - shadeGreen) * lit - pixels[to + 1]!) * alpha
          pixels[to + 2]! += (shadeBlue + (litBlue - shadeBlue) * lit - pixels[to + 2]!) * alpha
        }
      }
    },
  }
}
