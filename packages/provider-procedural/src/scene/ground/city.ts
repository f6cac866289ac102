import type { Scene } from '../../render/frame.ts'
import { rgb } from '../colour.ts'
import { skyline } from '../skyline.ts'
import { flood, type Site } from './site.ts'

/** A city: three rows of buildings at a river. */
export function city(site: Site): Scene[] {
  const { view, theme, palette, horizon, stream } = site
  const { height } = view
  const isNeon = theme.light === 'neon' || theme.light === 'night'
  const rows = [0, 1, 2].map((row) =>
    skyline(view, palette, stream(`skyline ${row}`), {
      base: horizon + 1,
      tallest: height * (0.46 - row * 0.08),
      depth: 0.12 + row * 0.26,
      isNeon,
    }),
  )
  return [...rows, flood(site, { from: horizon, swell: 0.12 }, rgb('#10263a'))]
}
