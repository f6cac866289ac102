import type { Scene } from '../render/frame.ts'
import { exp } from './exact-math.ts'
import { between, type Random } from './random.ts'
import type { View } from './view.ts'

/** How often the lightning strikes in a film, and how long it shows, in seconds. */
const pauseSeconds = 1.7
const flashSeconds = 0.35

/** A stroke of lightning with branches, from the clouds to the horizon. */
export function lightning(view: View, random: Random, floor: number): Scene {
  const light = new Float32Array(view.width * Math.ceil(floor))
  const main = strike(view, random, { x: view.width * between(random, 0.25, 0.75), from: 0, to: floor })
  shine(light, view, main, 1)
  for (let branch = 0; branch < 4; branch++) {
    const from = Math.floor(main.length * between(random, 0.15, 0.7))
    const to = Math.min(main.length, from + floor * between(random, 0.15, 0.35))
    const lean = between(random, 0.4, 1) * (random() < 0.5 ? -1 : 1)
    shine(light, view, strike(view, random, { x: main[from] ?? 0, from, to, lean }), 0.45, from)
  }
  return {
    paint({ pixels }, seconds) {
      const since = seconds % pauseSeconds
      if (since > flashSeconds) return
      const strength = 1 - since / flashSeconds
      for (let at = 0; at < light.length; at++) {
        const share = light[at]! * strength
        if (share === 0) continue
        pixels[at * 3]! += share * 0.85
        pixels[at * 3 + 1]! += share * 0.88
        pixels[at * 3 + 2]! += share
      }
    },
  }
}

interface Path {
  readonly x: number
  /** The first row, and the row below the last one. */
  readonly from: number
  readonly to: number
  /** How far the stroke goes to the side in each row, in pixels. */
  readonly lean?: number
}

/** The x of a stroke in each of its rows. It changes its direction every few rows. */
function strike({ height }: View, random: Random, { x, from, to, lean = 0 }: Path): Float32Array {
  const rows = new Float32Array(Math.max(0, Math.ceil(to) - Math.floor(from)))
  const straight = Math.max(2, Math.round(height * 0.018))
  let place = x
  let direction = 0
  for (let row = 0; row < rows.length; row++) {
    if (row % straight === 0) direction = lean + between(random, -1.1, 1.1)
    place += direction
    rows[row] = place
  }
  return rows
}

function shine(
  light: Float32Array,
  { width, height }: View,
  rows: Float32Array,
  strength: number,
  first = 0,
): void {
  const core = height * 0.0022 + 0.4
  const halo = height * 0.03
  const reach = Math.ceil(halo * 2)
  for (const [row, middle] of rows.entries()) {
    const at = (first + row) * width
    for (let x = Math.max(0, Math.floor(middle) - reach); x <= Math.min(width - 1, middle + reach); x++) {
      const away = Math.abs(x + 0.5 - middle)
      const glow =
        1.4 * exp(-(away / core) * (away / core)) + 0.16 * exp(-(away / halo) * (away / halo) * 1.5)
      if (at + x < light.length) light[at + x]! += glow * strength
    }
  }
}
