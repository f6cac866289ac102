import type { Scene } from '../../render/frame.ts'
import { blend, rgb } from '../colour.ts'
import { raiser, rock, type Site } from './site.ts'

const sand = rgb('#e0964a')

/** A desert: four rows of dunes. */
export function desert(site: Site): Scene[] {
  const { view, horizon } = site
  const { height } = view
  const rise = raiser(site)
  return [0, 1, 2, 3].map((row) =>
    rise({
      crest: horizon + height * (row === 0 ? -0.02 : 0.09 * row),
      relief: height * (0.08 + row * 0.035),
      frequency: 1.2 - row * 0.16,
      sharpness: row === 0 ? 0.5 : 0.06,
      depth: 0.12 + row * 0.28,
      bottom: height,
      colour: row === 0 ? blend(sand, rock, 0.4) : sand,
      mist: 0.35,
      texture: row === 0 ? 0.4 : 0.07,
    }),
  )
}
