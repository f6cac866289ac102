import { blankFrame, type Scene } from '../render/frame.ts'
import { gradient, luminance } from './colour.ts'
import { clamp } from './exact-math.ts'
import type { Palette } from './palette.ts'
import type { View } from './view.ts'

/** The place of the sun or moon, in pixels. */
export interface Luminary {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly isMoon: boolean
}

/**
 * The sky, with the light around the sun or moon, and their disc if no thick clouds hide it. It does not change, so it is painted once and copied into each frame.
 */
export function sky(
  view: View,
  palette: Palette,
  horizon: number,
  luminary: Luminary,
  hasDisc: boolean,
): Scene {
  const { width, height } = view
  const base = blankFrame(width, height)
  const reach = height * 0.33
  const [glowRed, glowGreen, glowBlue] = palette.glow
  // A sky that is bright by itself has little room for the light of the sun.
  const bright = luminance(gradient(palette.sky, luminary.y / horizon))
  const strength = luminary.isMoon ? 0.5 : (0.85 - palette.sunHeight * 0.5) * (1 - 0.6 * bright)
  let i = 0
  for (let y = 0; y < height; y++) {
    const [red, green, blue] = gradient(palette.sky, y / horizon)
    for (let x = 0; x < width; x++) {
      const dx = (x - luminary.x) / reach
      const dy = (y - luminary.y) / reach
      const near = 1 + dx * dx * 0.8 + dy * dy * 1.4
      const glow = strength / (near * near)
      const core = 0.3 / (1 + (dx * dx + dy * dy) * 60)
      base.pixels[i] = red + (glowRed - red * 0.6) * glow + core
      base.pixels[i + 1] = green + (glowGreen - green * 0.6) * glow + core * 0.9
      base.pixels[i + 2] = blue + (glowBlue - blue * 0.6) * glow + core * 0.75
      i += 3
    }
  }
  if (hasDisc) paintDisc(base.pixels, view, palette, luminary)
  return { paint: (frame) => frame.pixels.set(base.pixels) }
}

function paintDisc(
  pixels: Float32Array,
  { width, height }: View,
  { sun }: Palette,
  { x, y, radius, isMoon }: Luminary,
): void {
  for (let row = Math.max(0, Math.floor(y - radius)); row <= Math.min(height - 1, y + radius); row++) {
    for (
      let column = Math.max(0, Math.floor(x - radius));
      column <= Math.min(width - 1, x + radius);
      column++
    ) {
      const dx = (column + 0.5 - x) / radius
      const dy = (row + 0.5 - y) / radius
      const distance = Math.sqrt(dx * dx + dy * dy)
      const cover = clamp((1 - distance) * radius)
      if (cover <= 0) continue
      // The dark plains of the moon, as three soft spots.
      const stain = isMoon
        ? 0.16 *
          (spot(dx + 0.3, dy + 0.25, 0.42) + spot(dx - 0.25, dy + 0.1, 0.3) + spot(dx + 0.05, dy - 0.4, 0.38))
        : 0
      const shade = 1 - stain - (isMoon ? 0.12 * distance * distance : 0)
      const at = (row * width + column) * 3
      for (let channel = 0; channel < 3; channel++) {
        const behind = pixels[at + channel]!
        const light = isMoon ? sun[channel]! * shade : Math.max(behind + 0.1, sun[channel]!)
        pixels[at + channel] = behind * (1 - cover) + light * cover * 1.04
      }
    }
  }
}

function spot(dx: number, dy: number, size: number): number {
  const inside = clamp(1 - (dx * dx + dy * dy) / (size * size))
  return inside * inside
}
