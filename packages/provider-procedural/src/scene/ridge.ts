import type { Scene } from '../render/frame.ts'
import { blend, type Rgb, scaled } from './colour.ts'
import { clamp, smoothstep } from './exact-math.ts'
import type { Noise } from './noise.ts'
import type { Palette } from './palette.ts'
import { blendPixel } from './shapes.ts'
import { blankSprite, laySprite, type Sprite } from './sprite.ts'
import { cameraShift, overscan, type View } from './view.ts'

export interface RidgeForm {
  /** The mean y of the crest, in pixels. */
  readonly crest: number
  /** How far the crest rises above its mean and falls below it, in pixels. */
  readonly relief: number
  /** How many bends the crest has per picture height. */
  readonly frequency: number
  /** From 0 for soft hills to 1 for sharp peaks. */
  readonly sharpness: number
  /** From 0 at the horizon to 1 right in front of the camera. It decides the parallax and the haze. */
  readonly depth: number
  /** The y down to which the ridge is painted. */
  readonly bottom: number
  readonly colour: Rgb
  /** The part of the ridge that is covered by snow, 0 to 1. */
  readonly snow?: number
  /** How rough the surface looks, 0 to 1. */
  readonly texture?: number
  /** How much mist there is at the foot of the ridge, 0 to 1. */
  readonly mist?: number
  /** How much room the sprite has above the crest, in pixels, for objects on it. */
  readonly headroom?: number
}

export interface Ridge extends Scene {
  readonly form: RidgeForm
  readonly sprite: Sprite
  /** The y of the sprite's first row in the frame. */
  readonly top: number
  /** The y of the crest at a column of the sprite. */
  crestAt(x: number): number
}

/**
 * One line of hills or mountains. It is painted once into a sprite, which moves with the camera. Things on it have to
 * be painted into the sprite before the first frame.
 */
export function ridge(view: View, palette: Palette, noise: Noise, lightFrom: number, form: RidgeForm): Ridge {
  const {
    crest,
    relief,
    frequency,
    sharpness,
    depth,
    bottom,
    snow = 0,
    texture = 0.5,
    mist = 0.5,
    headroom = 0,
  } = form
  const top = Math.max(0, Math.floor(crest - relief * 1.35 - headroom))
  const sprite = blankSprite(view.width + overscan(view, depth), Math.max(1, Math.ceil(bottom) - top))
  const line = depth * 40 + 3
  const crestAt = (x: number): number => {
    const at = (x / view.height) * frequency
    const soft = noise.fractal(at, line, 0.5, sharpness > 0.5 ? 5 : 3)
    const sharp = noise.ridged(at, line, 0.5, 6) * 2 - 0.9
    return crest - relief * (soft * (1 - sharpness) + sharp * sharpness)
  }
  const crests = Float32Array.from({ length: sprite.width + 2 }, (_, x) => crestAt(x - 1))
  const body = blend(
    blend(form.colour, palette.near, palette.backlight),
    palette.haze,
    (1 - depth) * (1 - depth) * 0.85,
  )
  const lit = blend(blend(body, palette.glow, 0.34 - palette.backlight * 0.16), scaled(body, 1.35), 0.4)
  const dark = blend(scaled(body, 0.62), palette.near, 0.2 * depth)
  const white = blend(
    blend([0.95, 0.97, 1], palette.cloudLit, 0.5),
    palette.haze,
    (1 - depth) * 0.35 + palette.backlight * 0.25,
  )
  const whiteShade = blend(blend(white, palette.cloudShade, 0.55), palette.near, palette.backlight * 0.3)
  const foot: Rgb = blend(palette.haze, palette.sky.at(-1) ?? palette.haze, 0.25)
  const direction = (x: number): number => clamp(((lightFrom - x) / view.width) * 3, -1, 1)
  const grain = 8 / view.height
  const roughness = new Float32Array((sprite.height >> 1) + 1)
  const lastCrest = crests.length - 1
  // More contrast for gentle slopes, so that their form is visible as well.
  const contrast = clamp((0.3 * view.height) / (relief * frequency), 0.7, 3.2)

  for (let x = 0; x < sprite.width; x++) {
    const edge = crests[x + 1]!
    const facing = direction(x)
    const first = Math.max(0, Math.floor(edge) - top)
    for (let row = first; row < sprite.height; row++) {
      const y = row + top
      const cover = clamp(y + 1 - edge)
      if (cover <= 0) continue
      const below = y - edge
      // The noise is smooth, so computing it for every second column and row is enough.
      if ((x & 1) === 0 && ((row & 1) === 0 || row === first))
        roughness[row >> 1] = noise.fractal(x * grain, y * grain * 1.3, line, 3)
      const rough = roughness[row >> 1]!
      // The light of a pixel follows the slope of the crest above it. The lower the pixel, the longer the piece of the
      // crest that counts, and the more that piece is shifted sideways.
      const stretch = 3 + below * 0.45
      const middle = x + rough * below * 0.55
      const left = crests[Math.floor(clamp(middle - stretch, 0, lastCrest))]!
      const right = crests[Math.floor(clamp(middle + stretch, 0, lastCrest))]!
      const slope = (right - left) / (2 * stretch)
      const shine = clamp(0.48 - slope * facing * contrast + rough * texture * 0.55)
      let red = dark[0] + (lit[0] - dark[0]) * shine
      let green = dark[1] + (lit[1] - dark[1]) * shine
      let blue = dark[2] + (lit[2] - dark[2]) * shine
      if (snow > 0) {
        const height = (crest + relief * 0.7 - y) / (relief * 1.5) - (1 - snow) * 0.75
        const share = smoothstep(-0.06, 0.1, height + rough * 0.5 + (shine - 0.5) * 0.25)
        const bright = clamp(shine * 1.5 - 0.15)
        red += (whiteShade[0] + (white[0] - whiteShade[0]) * bright - red) * share
        green += (whiteShade[1] + (white[1] - whiteShade[1]) * bright - green) * share
        blue += (whiteShade[2] + (white[2] - whiteShade[2]) * bright - blue) * share
      }
      const fog =
        mist * smoothstep(relief * 0.2, Math.max(relief * 1.9, bottom - crest), below) * (1 - depth * 0.6)
      blendPixel(
        sprite,
        x,
        row,
        [red + (foot[0] - red) * fog, green + (foot[1] - green) * fog, blue + (foot[2] - blue) * fog],
        cover,
      )
    }
  }
  return {
    form,
    sprite,
    top,
    crestAt,
    paint: (frame, seconds) => laySprite(frame, sprite, cameraShift(view, seconds) * depth, top),
  }
}
