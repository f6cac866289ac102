import type { Scene } from '../../render/frame.ts'
import { blend, rgb } from '../colour.ts'
import { grass, pine, plant, raiser, type Site } from './site.ts'

const autumnLeaves = [rgb('#b8401f'), rgb('#e08a24'), rgb('#d8b02f'), rgb('#8f3a22')]
const blossoms = [rgb('#e58fb2'), rgb('#f3bccd'), rgb('#d66f98')]

/** A forest: several rows of trees, with the far rows in the mist. */
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
  return [0, 1, 2, 3, 4].map((row) => {
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
    for (const [index, colour] of leaves.entries()) {
      plant(site, slope, `wood ${row} ${index}`, {
        size,
        density: 150 / (1 + row * row * 0.9) / leaves.length,
        colour,
        kind: leaves.length > 2 ? 'broadleaf' : 'conifer',
      })
    }
    return slope
  })
}
