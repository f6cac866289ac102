import { blankFrame, layered, type Scene } from '../render/frame.ts'
import { blend, gradient, rgb, type Rgb, turned } from './colour.ts'
import { clamp, cos, sin, smoothstep } from './exact-math.ts'
import { noiseFrom } from './noise.ts'
import { planet } from './planet.ts'
import { between, pick, type Streams } from './random.ts'
import { stars } from './stars.ts'
import type { Theme } from './theme.ts'
import type { View } from './view.ts'

const nebulae = [
  ['#05030f', '#1b1046', '#5a1f83', '#d2477f', '#ffc48a'],
  ['#02060f', '#07264a', '#0f6a86', '#49c3a8', '#f2f3c4'],
  ['#070310', '#2a0f2f', '#84233f', '#e86f3c', '#ffe1a0'],
  ['#03040f', '#141a52', '#3f47b5', '#8f7cf0', '#f6c7ff'],
] as const

/** Outer space: gas, dust, stars, and one or two planets. */
export function space(view: View, theme: Theme, stream: Streams): Scene {
  const { width, height } = view
  const random = stream('space')
  const turn = between(random, -0.06, 0.06)
  const named = theme.colours.map((hex) => rgb(hex))
  const stops: readonly Rgb[] =
    named.length > 0
      ? [
          rgb('#04030d'),
          blend(rgb('#0a0820'), named[0]!, 0.3),
          named[0]!,
          named[1] ?? blend(named[0]!, [1, 1, 1], 0.3),
          [1, 0.95, 0.88],
        ]
      : pick(random, nebulae).map((hex) => turned(rgb(hex), turn))
  const gas = nebula(view, stream, stops)
  const far = stars(view, stream('far stars'), height * 1.6, 1.3)
  const near = stars(view, stream('near stars'), height * 2.5, 0.25)
  const sunlight = { x: between(random, -0.9, 0.9), y: between(random, -0.8, -0.2) }
  const size = Math.min(width, height) * between(random, 0.17, 0.26)
  const side = sunlight.x > 0 ? 0.28 : 0.72
  const world = planet(view, noiseFrom(stream('planet')), random, {
    x: width * between(random, side - 0.1, side + 0.1),
    y: height * between(random, 0.42, 0.66),
    radius: size,
    light: sunlight,
    stops: stops.map((stop) => turned(stop, 0.12)),
    drift: 0.012,
    hasRing: theme.features.has('ring') || random() < 0.5,
  })
  const moon = planet(view, noiseFrom(stream('moon')), random, {
    x: width * (1 - side + between(random, -0.12, 0.12)),
    y: height * between(random, 0.2, 0.4),
    radius: size * between(random, 0.16, 0.3),
    light: sunlight,
    stops: [rgb('#1a1a22'), rgb('#4b4a52'), rgb('#8d8a8c'), rgb('#c9c4bd')],
    drift: 0.006,
    hasRing: false,
  })
  return layered([gas, far, near, moon, world])
}

function nebula(view: View, stream: Streams, stops: readonly Rgb[]): Scene {
  const { width, height } = view
  const noise = noiseFrom(stream('nebula'))
  const base = blankFrame(width, height)
  const random = stream('band')
  const lean = between(random, -0.9, 0.9)
  const offset = between(random, -0.12, 0.12)
  const c = cos(lean)
  const s = sin(lean)
  const cell = 2
  for (let y = 0; y < height; y += cell) {
    for (let x = 0; x < width; x += cell) {
      const u = (x - width / 2) / height
      const v = (y - height / 2) / height
      const warpX = noise.fractal(u * 1.6, v * 1.6, 1, 4)
      const warpY = noise.fractal(u * 1.6 + 5, v * 1.6 + 9, 2, 4)
      const across = u * s + v * c + offset + warpX * 0.16
      const band = 1 / (1 + across * across * 9)
      const body = noise.fractal(u * 1.9 + warpX * 0.9, v * 1.9 + warpY * 0.9, 3, 5)
      const dust = noise.ridged(u * 2.4 + warpY * 0.5, v * 2.4 + warpX * 0.5, 4, 5)
      const value = clamp(band * (0.42 + body * 0.75) - smoothstep(0.45, 0.8, dust) * 0.3 * band + 0.06)
      const colour = gradient(stops, value * 1.05)
      const tint = clamp(0.5 + warpY * 0.9)
      for (let down = y; down < Math.min(height, y + cell); down++) {
        for (let right = x; right < Math.min(width, x + cell); right++) {
          const at = (down * width + right) * 3
          base.pixels[at] = colour[0] * (0.8 + 0.3 * tint)
          base.pixels[at + 1] = colour[1]
          base.pixels[at + 2] = colour[2] * (1.15 - 0.3 * tint)
        }
      }
    }
  }
  return { paint: (frame) => frame.pixels.set(base.pixels) }
}
