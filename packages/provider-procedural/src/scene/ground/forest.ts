import type { Scene } from '../../render/frame.ts'
import { blend, rgb } from '../colour.ts'
import { buildCabin } from './cabin.ts'
import { flood, grass, pine, plant, raiser, type Site } from './site.ts'

const autumnLeaves = [rgb('#b8401f'), rgb('#e08a24'), rgb('#d8b02f'), rgb('#8f3a22')]
const blossoms = [rgb('#e58fb2'), rgb('#f3bccd'), rgb('#d66f98')]

/** A forest: several rows of trees, with the far rows in the mist, and a lake in front if the prompt names water. */
export function forest(site: Site): Scene[] {
  const { view, horizon, theme } = site
  const { height } = view
  const isAutumn = theme.light === 'golden'
  const leaves = isAutumn
    ? autumnLeaves
    : theme.features.has('flowers')
      ? blossoms
      : [pine, blend(pine, grass, 0.25)]
  const rise = raiser(site)
  const crestOf = (row: number): number =>
    horizon - height * 0.02 + height * (0.0225 * row * row + 0.03 * row)
  const hasWater = theme.features.has('water')
  const rowOf = (row: number, isSparse = false): Scene => {
    const share = row / 4
    const size = height * (0.05 + 0.3 * share * share + 0.03 * row)
    const slope = rise({
      crest: crestOf(row),
      relief: height * (0.12 - 0.015 * row),
      frequency: 1.1 + row * 0.2,
      sharpness: 0.1,
      depth: 0.08 + 0.87 * share,
      bottom: row < 4 ? crestOf(row + 1) + height * 0.13 : height,
      colour: blend(leaves[0] ?? pine, pine, 0.6),
      mist: 0.95 - 0.5 * share,
      texture: 0.3,
      headroom: size * 1.1,
    })
    const density = (150 / (1 + row * row * 0.9) / leaves.length) * (isSparse ? 0.3 : 1)
    for (const [index, colour] of leaves.entries()) {
      plant(site, slope, `wood ${row} ${index}`, {
        size,
        density,
        colour,
        kind: leaves.length > 2 ? 'broadleaf' : 'conifer',
      })
    }
    if (row === (hasWater ? 1 : 3)) buildCabin(site, slope, height * (hasWater ? 0.09 : 0.15))
    return slope
  }
  if (!hasWater) return [0, 1, 2, 3, 4].map((row) => rowOf(row))
  const lake = flood(site, { from: horizon + height * 0.1, swell: 0.06 }, rgb('#173f45'))
  return [rowOf(0), rowOf(1), lake, rowOf(4, true)]
}
