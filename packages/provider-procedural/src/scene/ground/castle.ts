import { blend, type Rgb, rgb, scaled } from '../colour.ts'
import { between } from '../random.ts'
import type { Ridge } from '../ridge.ts'
import { buildingAt } from './building.ts'
import type { Site } from './site.ts'

/** The towers from the back to the front: where their middle is, how wide and how high they are, and how high the roof is. */
const towers = [
  [0.04, 0.2, 1.15, 0.42],
  [-0.38, 0.16, 0.72, 0.34],
  [0.4, 0.18, 0.82, 0.36],
  [-0.16, 0.13, 0.6, 0.3],
  [0.2, 0.12, 0.52, 0.26],
] as const

/** Builds a castle with lit windows on a ridge, if the prompt names one. `size` is its width in pixels. */
export function buildCastle({ theme, palette, stream }: Site, slope: Ridge, size: number): void {
  if (!theme.features.has('castle')) return
  const { sprite, top, crestAt } = slope
  const far = (1 - slope.form.depth) ** 2 * 0.45
  const dim = (colour: Rgb) => blend(blend(colour, palette.near, palette.backlight * 0.7), palette.haze, far)
  const stone = dim(rgb('#8d8578'))
  const roof = dim(theme.features.has('snow') ? rgb('#bccde2') : rgb('#43506b'))
  const x = sprite.width * between(stream('castle'), 0.3, 0.7)
  const foot = crestAt(x) - top + size * 0.24
  const { fill, box } = buildingAt(sprite, [x, foot], size)
  const merlons = (left: number, right: number, high: number) => {
    for (let at = left; at < right - 0.01; at += 0.08) box(stone, at, at + 0.045, high, high + 0.045)
  }
  box(scaled(stone, 0.72), -0.5, 0.5, 0, 0.38)
  merlons(-0.5, 0.5, 0.38)
  for (const [middle, width, high, point] of towers) {
    const [left, right] = [middle - width / 2, middle + width / 2]
    box(stone, left, right, 0, high)
    box(scaled(stone, 0.78), left, left + width * 0.38, 0, high)
    fill(roof, [
      [left - 0.03, high],
      [right + 0.03, high],
      [middle, high + point],
    ])
    box(rgb('#ffd27a'), middle - 0.018, middle + 0.018, high * 0.68, high * 0.68 + 0.07)
  }
  box(scaled(stone, 0.35), -0.05, 0.07, 0, 0.17)
}
