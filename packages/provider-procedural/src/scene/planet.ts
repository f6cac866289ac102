import type { Scene } from '../render/frame.ts'
import { gradient, type Rgb, scaled } from './colour.ts'
import { clamp, smoothstep } from './exact-math.ts'
import type { Noise } from './noise.ts'
import { between, type Random } from './random.ts'
import { blendPixel } from './shapes.ts'
import { blankSprite, laySprite } from './sprite.ts'
import type { View } from './view.ts'

export interface PlanetForm {
  readonly x: number
  readonly y: number
  readonly radius: number
  /** The direction of the light. */
  readonly light: { readonly x: number; readonly y: number }
  readonly stops: readonly Rgb[]
  /** How fast the planet moves, in picture heights per second. */
  readonly drift: number
  readonly hasRing: boolean
}

/** A planet with clouds or craters, an atmosphere, and perhaps a ring. It is painted once, and then drifts. */
export function planet(view: View, noise: Noise, random: Random, form: PlanetForm): Scene {
  const { radius, stops, hasRing } = form
  const length = Math.sqrt(form.light.x * form.light.x + form.light.y * form.light.y + 0.3)
  const light = { x: form.light.x / length, y: form.light.y / length, z: 0.55 / length }
  const isGas = radius > view.height * 0.1
  const bands = between(random, 1.2, 4)
  const tilt = between(random, -0.35, 0.35)
  const air = stops[3] ?? [0.6, 0.8, 1]
  const reach = Math.ceil(radius * (hasRing ? 2.4 : 1.3))
  const sprite = blankSprite(reach * 2 + 2, reach * 2)

  for (let y = 0; y < sprite.height; y++) {
    for (let x = 1; x < sprite.width - 1; x++) {
      const dx = (x + 0.5 - reach) / radius
      const dy = (y + 0.5 - reach) / radius
      const square = dx * dx + dy * dy
      const slanted = dy - dx * tilt
      const ringAt = Math.sqrt((dx + dy * tilt) * (dx + dy * tilt) + (slanted / 0.26) * (slanted / 0.26))
      const towards = dx * light.x + dy * light.y
      if (square < 1) {
        const dz = Math.sqrt(1 - square)
        const lit = towards + dz * light.z
        const rough = noise.fractal(dx * 1.6, dy * 1.6, dz * 1.6, 5)
        const tone = isGas
          ? 0.55 + 0.3 * noise.at(3, slanted * bands * 2 + rough * 0.5, 7) + rough * 0.18
          : 0.6 + rough * 0.5
        const day = 0.015 + smoothstep(-0.12, 0.75, lit) * 1.1
        const rim = (1 - dz) * (1 - dz) * (1 - dz) * smoothstep(-0.3, 0.6, lit) * 0.8
        const [red, green, blue] = gradient(stops, clamp(tone, 0.25, 1))
        blendPixel(
          sprite,
          x,
          y,
          [red * day + air[0] * rim, green * day + air[1] * rim, blue * day + air[2] * rim],
          clamp((1 - Math.sqrt(square)) * radius),
        )
      } else {
        const out = Math.sqrt(square) - 1
        const halo =
          ((isGas ? 0.5 : 0.12) * smoothstep(-0.2, 1, towards / (1 + out)) * smoothstep(0.25, 0, out)) /
          (1 + out * 16)
        if (halo > 0.004) blendPixel(sprite, x, y, air, halo)
      }
      if (hasRing && ringAt > 1.32 && ringAt < 2.2 && (slanted > 0 || square >= 1)) {
        const grooves = 0.5 + 0.5 * noise.fractal(ringAt * 9, bands * 31, 0, 4)
        const gap = 1 - 0.8 * smoothstep(0.03, 0, Math.abs(ringAt - 1.86))
        const alpha =
          smoothstep(1.32, 1.42, ringAt) * smoothstep(2.2, 2.05, ringAt) * (0.25 + 0.65 * grooves) * gap
        // The planet's shadow falls on the part of the ring that lies behind it.
        const aside = Math.abs(dx * light.y - dy * light.x)
        const sun = 0.12 + 0.95 * smoothstep(0.9, 1.05, aside + (towards > 0 || square < 1 ? 1 : 0))
        blendPixel(sprite, x, y, scaled(gradient(stops, 0.6 + 0.3 * grooves), sun), alpha)
      }
    }
  }
  return {
    paint: (frame, seconds) =>
      laySprite(
        frame,
        sprite,
        reach - form.x + seconds * form.drift * view.height,
        Math.round(form.y) - reach,
      ),
  }
}
