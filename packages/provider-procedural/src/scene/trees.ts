import { blend, type Rgb, scaled } from './colour.ts'
import { cos, sin } from './exact-math.ts'
import { between, type Random } from './random.ts'
import type { Ridge } from './ridge.ts'
import { fillDisc, fillPolygon, type Point } from './shapes.ts'
import type { Sprite } from './sprite.ts'

export interface Wood {
  /** The height of a typical tree, in pixels. */
  readonly size: number
  /** How many trees stand on a stretch as long as the picture is high. */
  readonly density: number
  readonly colour: Rgb
  readonly light: Rgb
  readonly kind: 'conifer' | 'broadleaf' | 'palm'
}

/** Paints trees along the crest of a ridge, with the smaller trees behind. */
export function plantTrees(target: Ridge, random: Random, height: number, wood: Wood): void {
  const count = Math.round((target.sprite.width / height) * wood.density)
  const sizes = Array.from({ length: count }, () => between(random, 0.5, 1.15)).toSorted((a, b) => a - b)
  for (const share of sizes) {
    const x = random() * target.sprite.width
    const size = wood.size * share
    const base = target.crestAt(x) - target.top + size * 0.08
    const shade = blend(wood.colour, wood.light, between(random, 0, 0.22) * (1.2 - share))
    const tree = { ...wood, colour: shade }
    if (wood.kind === 'conifer') conifer(target.sprite, [x, base], size, random, tree)
    else if (wood.kind === 'palm') palm(target.sprite, [x, base], size, random, tree)
    else broadleaf(target.sprite, [x, base], size, random, tree)
  }
}

function conifer(
  sprite: Sprite,
  [x, base]: Point,
  size: number,
  random: Random,
  { colour, light }: Wood,
): void {
  const tiers = Math.max(4, Math.round(size / 9))
  const left: Point[] = []
  const right: Point[] = []
  const half = size * between(random, 0.16, 0.22)
  for (let tier = 0; tier < tiers; tier++) {
    const y = base - size + (size * 0.94 * (tier + 1)) / tiers
    const reach = half * ((tier + 1) / tiers)
    const inner = reach * 0.52
    const droop = (size / tiers) * 0.25
    left.push([x - reach * between(random, 0.75, 1.1), y + droop], [x - inner, y - droop * 0.6])
    right.push([x + reach * between(random, 0.75, 1.1), y + droop], [x + inner, y - droop * 0.6])
  }
  fillPolygon(
    sprite,
    [
      [x - size * 0.02, base - size * 0.1],
      [x + size * 0.02, base - size * 0.1],
      [x + size * 0.02, base],
      [x - size * 0.02, base],
    ],
    scaled(colour, 0.6),
  )
  fillPolygon(sprite, [[x, base - size * 1.04], ...right, ...left.toReversed()], colour)
  if (size > 24)
    fillPolygon(
      sprite,
      [
        [x, base - size * 1.04],
        ...right.map(([px, py]): Point => [x + (px - x) * 0.8, py]),
        [x, base - size * 0.1],
      ],
      blend(colour, light, 0.16),
      0.7,
    )
}

function broadleaf(
  sprite: Sprite,
  [x, base]: Point,
  size: number,
  random: Random,
  { colour, light }: Wood,
): void {
  const bark = blend(scaled(colour, 0.45), [0.2, 0.13, 0.09], 0.35)
  const lean = between(random, -0.05, 0.05) * size
  fillPolygon(
    sprite,
    [
      [x - size * 0.035, base],
      [x + size * 0.035, base],
      [x + lean + size * 0.015, base - size * 0.6],
      [x + lean - size * 0.015, base - size * 0.6],
    ],
    bark,
  )
  const clumps = size > 40 ? 46 : 14
  for (let clump = 0; clump < clumps; clump++) {
    const angle = random() * 6.283
    const reach = Math.sqrt(random()) * size * 0.3
    const cx = x + lean + sin(angle) * reach * 1.15
    const cy = base - size * 0.66 + sin(angle + 1.5708) * reach * 0.85
    const high = (base - cy) / size - 0.4
    const leaf = blend(
      scaled(colour, 0.78),
      blend(colour, light, 0.42),
      Math.max(0, Math.min(1, high * 1.7 + between(random, -0.2, 0.2))),
    )
    fillDisc(sprite, [cx, cy], size * between(random, 0.05, 0.12), leaf)
  }
}

function palm(sprite: Sprite, [x, base]: Point, size: number, random: Random, { colour, light }: Wood): void {
  const lean = between(random, -0.3, 0.3) * size
  const trunk = (t: number): Point => [x + lean * t * t, base - size * 0.8 * t]
  const steps = 10
  const left: Point[] = []
  const right: Point[] = []
  for (let i = 0; i <= steps; i++) {
    const [px, py] = trunk(i / steps)
    const half = size * (0.03 - (0.014 * i) / steps)
    left.push([px - half, py])
    right.unshift([px + half, py])
  }
  fillPolygon(sprite, [...left, ...right], scaled(colour, 0.7))
  const [topX, topY] = trunk(1)
  for (let frond = 0; frond < 11; frond++) {
    const angle = 3 + (frond / 10) * 3.4 + between(random, -0.12, 0.12)
    const reach = size * between(random, 0.36, 0.46)
    const upper: Point[] = []
    const lower: Point[] = []
    for (let i = 0; i <= 12; i++) {
      const t = i / 12
      const px = topX + cos(angle) * reach * t * (1 - 0.15 * t)
      const py = topY + sin(angle) * reach * t * 0.8 + reach * t * t * 0.75
      // Leaflets hang from the rib, so its lower edge is uneven.
      const leaflet = reach * (i % 2 === 0 ? 0.15 : 0.06) * sin(0.3 + t * 2.8)
      upper.push([px, py])
      lower.unshift([px - cos(angle) * leaflet * 0.2, py + leaflet])
    }
    fillPolygon(sprite, [...upper, ...lower], blend(colour, light, 0.04 + 0.012 * (frond % 5)))
  }
}
