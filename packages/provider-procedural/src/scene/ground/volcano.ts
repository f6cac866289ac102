import type { Scene } from '../../render/frame.ts'
import { rgb } from '../colour.ts'
import { smoothstep } from '../exact-math.ts'
import { noiseFrom } from '../noise.ts'
import { blendPixel } from '../shapes.ts'
import { blankSprite, laySprite } from '../sprite.ts'
import { cameraShift, overscan } from '../view.ts'
import { foothills } from './mountains.ts'
import type { Site } from './site.ts'

/** A volcano with streams of lava, smoke that its crater lights from below, and foothills with trees. */
export function volcano(site: Site): Scene[] {
  const { view, palette, luminary, horizon } = site
  const noise = noiseFrom(site.stream('volcano'))
  const { width, height } = view
  const depth = 0.08
  const peakX = width * 0.5 + (width * 0.5 - luminary.x) * 0.25
  const peakY = horizon - height * 0.34
  const bottom = horizon + height * 0.14
  const sprite = blankSprite(width + overscan(view, depth), Math.ceil(bottom))
  const dark = palette.near
  const hot = rgb('#ff5a1c')
  const white = rgb('#ffd873')
  for (let y = Math.floor(peakY) - 4; y < bottom; y++) {
    const down = (y - peakY) / height
    for (let x = 0; x < sprite.width; x++) {
      const side = (x - peakX) / height
      const rough = noise.fractal((x / height) * 6, (y / height) * 6, 3, 4)
      const half = 0.045 + down * 0.55 + down * down * 1.5 + rough * 0.02
      const rim = down - 0.012 * noise.at((x / height) * 40, 1, 1)
      const inside = smoothstep(0, 0.004, half - Math.abs(side)) * smoothstep(0, 0.006, rim)
      if (inside <= 0) continue
      const veins = noise.ridged((side / (0.1 + down)) * 1.6 + rough * 0.25, down * 2.2, 9, 3)
      const lava = smoothstep(0.5, 0.66, veins - down * 0.45) * smoothstep(0.5, 0.05, down)
      const core = lava * lava * lava
      const shade = 0.9 + rough * 0.5 - (side > 0 ? 0.15 : 0)
      const glow = smoothstep(0.3, 0.72, veins) * smoothstep(0.4, 0, down) * 0.4
      blendPixel(
        sprite,
        x,
        y,
        [
          dark[0] * shade + glow * 0.55 + (hot[0] - dark[0]) * lava + (white[0] - hot[0]) * core,
          dark[1] * shade + glow * 0.12 + (hot[1] - dark[1]) * lava + (white[1] - hot[1]) * core,
          dark[2] * shade + (hot[2] - dark[2]) * lava + (white[2] - hot[2]) * core,
        ],
        inside,
      )
    }
  }
  const plume: Scene = {
    paint(frame, seconds) {
      const left = peakX - cameraShift(view, seconds) * depth
      const flicker = 0.85 + 0.15 * noise.at(seconds * 1.7, 0, 0)
      for (let y = 0; y < peakY + 6; y++) {
        const up = (peakY - y) / height
        const reach = height * (0.07 + up * 0.75)
        const drift = up * up * height * 0.35
        for (
          let x = Math.max(0, Math.floor(left + drift - reach));
          x < Math.min(width, left + drift + reach);
          x++
        ) {
          const aside = (x - left - drift) / reach
          const billow = noise.fractal((x / height) * 5, (y / height) * 5 + seconds * 0.35, seconds * 0.12, 3)
          const smoke =
            smoothstep(0.1, 0.65, 1 - aside * aside + billow * 0.9 - 0.35) * smoothstep(0.85, 0.1, up)
          if (smoke <= 0) continue
          const fire = flicker * smoothstep(0.32, 0, up) * (0.75 + billow) * smoke
          const at = (y * width + x) * 3
          frame.pixels[at] = frame.pixels[at]! * (1 - smoke * 0.75) + smoke * (0.1 + billow * 0.05) + fire
          frame.pixels[at + 1] =
            frame.pixels[at + 1]! * (1 - smoke * 0.75) + smoke * (0.07 + billow * 0.04) + fire * 0.38
          frame.pixels[at + 2] =
            frame.pixels[at + 2]! * (1 - smoke * 0.75) + smoke * (0.08 + billow * 0.04) + fire * 0.1
        }
      }
    },
  }
  const cone: Scene = {
    paint: (frame, seconds) => laySprite(frame, sprite, cameraShift(view, seconds) * depth, 0),
  }
  return [plume, cone, ...foothills(site, horizon + height * 0.05)]
}
