import type { Scene } from '../render/frame.ts'
import { cos, sin } from './exact-math.ts'
import { between, type Random } from './random.ts'
import type { View } from './view.ts'

/** Stars that twinkle. There are fewer towards the horizon. `density` 1 is a clear night in the country. */
export function stars(view: View, random: Random, floor: number, density: number): Scene {
  const count = Math.round(((view.width * floor) / (view.height * view.height)) * 900 * density)
  const unit = view.height / 1000
  const all = Array.from({ length: count }, () => {
    const high = random()
    const magnitude = random()
    const bright = magnitude * magnitude * magnitude * magnitude
    return {
      x: random() * view.width,
      y: high * Math.sqrt(high) * floor,
      radius: (0.65 + bright * 1.5) * unit + 0.35,
      light: 0.3 + 0.7 * magnitude * magnitude,
      warmth: random(),
      pace: between(random, 1.5, 4.5),
      phase: random() * 6,
      flare: bright > 0.8 ? 9 * unit : 0,
    }
  })
  return {
    paint(frame, seconds) {
      for (const star of all) {
        const fade = 1 - (star.y / floor) * (star.y / floor)
        const light = star.light * fade * (0.8 + 0.2 * sin(star.phase + seconds * star.pace))
        const red = light * (0.8 + 0.25 * star.warmth)
        const blue = light * (1.05 - 0.25 * star.warmth)
        const reach = Math.ceil(Math.max(star.radius * 2.2, star.flare))
        const left = Math.max(0, Math.floor(star.x) - reach)
        const right = Math.min(frame.width - 1, Math.floor(star.x) + reach)
        const top = Math.max(0, Math.floor(star.y) - reach)
        const bottom = Math.min(frame.height - 1, Math.floor(star.y) + reach)
        for (let y = top; y <= bottom; y++) {
          for (let x = left; x <= right; x++) {
            const dx = x + 0.5 - star.x
            const dy = y + 0.5 - star.y
            const near = (dx * dx + dy * dy) / (star.radius * star.radius)
            let share = 1 / (1 + near * near * near)
            // Four spikes, as in pictures of a telescope.
            if (star.flare > 0) {
              const spike = Math.min(Math.abs(dx), Math.abs(dy)) / star.radius
              const along = Math.max(Math.abs(dx), Math.abs(dy)) / star.flare
              if (along < 1) share += (0.7 * (1 - along) * (1 - along)) / (1 + spike * spike * 6)
            }
            if (share < 0.01) continue
            const at = (y * frame.width + x) * 3
            frame.pixels[at]! += red * share
            frame.pixels[at + 1]! += light * share
            frame.pixels[at + 2]! += blue * share
          }
        }
      }
    },
  }
}

/** Northern lights, as curtains that move slowly. */
export function aurora(view: View, random: Random, floor: number): Scene {
  const hue = random()
  const curtains = Array.from({ length: 3 }, (_, index) => ({
    base: floor * between(random, 0.5, 0.78),
    sway: floor * between(random, 0.06, 0.14),
    reach: floor * between(random, 0.35, 0.6),
    waves: between(random, 3, 6),
    phase: random() * 6,
    violet: 0.25 + 0.5 * hue + index * 0.12,
    light: between(random, 0.35, 0.6),
  }))
  return {
    paint(frame, seconds) {
      for (const curtain of curtains) {
        for (let x = 0; x < frame.width; x++) {
          const along = (x / view.height) * curtain.waves
          const sway =
            sin(along * 0.7 + curtain.phase + seconds * 0.25) +
            0.5 * sin(along * 1.9 - seconds * 0.4 + curtain.phase * 2)
          const edge = curtain.base + sway * curtain.sway
          const rays =
            0.55 +
            0.25 * sin(along * 9 + sway * 5 + seconds * 0.9) +
            0.2 * cos(along * 23 + sway * 7 - seconds * 0.6)
          const strength =
            curtain.light * rays * (0.65 + 0.35 * sin(along * 0.45 + curtain.phase - seconds * 0.15))
          if (strength <= 0) continue
          const top = Math.max(0, Math.floor(edge - curtain.reach))
          for (let y = top; y < edge + 12 && y < frame.height; y++) {
            const up = (edge - y) / curtain.reach
            const light = up < 0 ? strength * (1 + up * 14) : strength * (1 - up) * (1 - up)
            if (light <= 0) continue
            const violet = curtain.violet * up
            const at = (y * frame.width + x) * 3
            frame.pixels[at]! += light * (0.12 + violet * 0.75)
            frame.pixels[at + 1]! += light * (0.95 - violet * 0.75)
            frame.pixels[at + 2]! += light * (0.5 + violet * 0.4)
          }
        }
      }
    },
  }
}
