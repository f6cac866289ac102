import { blend, type Rgb, rgb, scaled } from '../colour.ts'
import { between } from '../random.ts'
import type { Ridge } from '../ridge.ts'
import { buildingAt } from './building.ts'
import type { Site } from './site.ts'

/** Builds a cabin with a lit window on a ridge, if the prompt names one. `size` is its width in pixels. */
export function buildCabin({ theme, palette, stream }: Site, slope: Ridge, size: number): void {
  if (!theme.features.has('cabin')) return
  const { sprite, top, crestAt } = slope
  const dim = (colour: Rgb) => blend(colour, palette.near, palette.backlight * 0.6)
  const wood = dim(rgb('#6b4528'))
  const roof = dim(theme.features.has('snow') ? rgb('#bccde2') : rgb('#7a3127'))
  const x = sprite.width * between(stream('cabin'), 0.32, 0.66)
  const foot = crestAt(x) - top + size * 0.42
  const { fill, box } = buildingAt(sprite, [x, foot], size)
  box(scaled(wood, 0.7), 0.22, 0.32, 0.4, 0.86)
  box(wood, -0.5, 0.5, 0, 0.42)
  box(scaled(wood, 0.8), -0.5, 0.5, 0.13, 0.16)
  box(scaled(wood, 0.8), -0.5, 0.5, 0.28, 0.31)
  fill(roof, [
    [-0.6, 0.38],
    [0.6, 0.38],
    [0.4, 0.74],
    [-0.4, 0.74],
  ])
  box(scaled(wood, 0.45), -0.32, -0.14, 0, 0.32)
  box(rgb('#ffd27a'), 0.08, 0.3, 0.14, 0.31)
  box(scaled(wood, 0.6), 0.18, 0.2, 0.14, 0.31)
}
