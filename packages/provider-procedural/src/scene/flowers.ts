import { blend, rgb, type Rgb, scaled } from './colour.ts'
import { between, pick, type Random } from './random.ts'
import type { Ridge } from './ridge.ts'
import { fillDisc, fillPolygon } from './shapes.ts'

export interface Bloom {
  /** The height of a blade of grass, in pixels. */
  readonly size: number
  readonly grass: Rgb
  readonly light: Rgb
  readonly petals: readonly [Rgb, ...Rgb[]]
  /** How many flowers there are per blade of grass, 0 to 1. */
  readonly share: number
}

export const wildflowers: readonly [Rgb, ...Rgb[]] = [
  rgb('#e8443a'),
  rgb('#f4c430'),
  rgb('#f7f3ea'),
  rgb('#b46ad6'),
  rgb('#ef7fa8'),
]

/** Paints grass and flowers on a near slope. They are small at its crest and tall at its foot. */
export function sowFlowers(target: Ridge, random: Random, bloom: Bloom): void {
  const { sprite, top } = target
  const reach = sprite.height + top - target.form.crest
  const count = Math.round((sprite.width * reach * 34) / (bloom.size * bloom.size))
  const places = Array.from({ length: count }, () => (random() + random() * random()) / 2).toSorted(
    (a, b) => a - b,
  )
  for (const down of places) {
    const x = random() * sprite.width
    const near = 0.25 + 0.9 * down
    const root = target.crestAt(x) - top + down * reach * 1.15
    const size = bloom.size * near * between(random, 0.6, 1.2)
    const lean = between(random, -0.3, 0.3) * size
    const blade = blend(scaled(bloom.grass, between(random, 0.6, 1.1)), bloom.light, between(random, 0, 0.3))
    const width = Math.max(0.5, size * 0.05)
    fillPolygon(
      sprite,
      [
        [x - width, root],
        [x + width, root],
        [x + lean, root - size],
      ],
      blade,
    )
    if (random() < bloom.share) {
      const petal = blend(pick(random, bloom.petals), bloom.light, between(random, 0, 0.25))
      fillDisc(sprite, [x + lean, root - size], size * 0.15, scaled(petal, 0.8))
      fillDisc(sprite, [x + lean, root - size * 1.03], size * 0.11, petal)
    }
  }
}
