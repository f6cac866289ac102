import type { Scene } from '../../render/frame.ts'
import { rgb } from '../colour.ts'
import { buildCabin } from './cabin.ts'
import { buildCastle } from './castle.ts'
import { flood, pine, plant, raiser, rock, type Site } from './site.ts'

/** Mountains with snow, foothills with trees, and a lake if the prompt names water. */
export function mountains(site: Site): Scene[] {
  const { theme, horizon } = site
  const { height } = site.view
  const shore = horizon + height * 0.05
  const snow = theme.features.has('snow') || theme.features.has('peaks') ? 1 : 0.55
  const rise = raiser(site)
  const peaks = rise({
    crest: horizon - height * 0.16,
    relief: height * 0.24,
    frequency: 1.3,
    sharpness: 0.85,
    depth: 0.06,
    bottom: shore,
    colour: rock,
    snow,
    mist: 0.75,
  })
  const shoulders = rise({
    crest: horizon - height * 0.05,
    relief: height * 0.18,
    frequency: 1.7,
    sharpness: 0.7,
    depth: 0.2,
    bottom: shore + height * 0.06,
    colour: rock,
    snow: snow - 0.25,
    mist: 0.8,
  })
  return [peaks, shoulders, ...foothills(site, shore)]
}

/** Slopes with trees. They end at a lake, at the y `shore`, or without water at the lower edge of the picture. */
export function foothills(site: Site, shore: number): Scene[] {
  const { theme, horizon } = site
  const { height } = site.view
  const hasWater = theme.features.has('water')
  const rise = raiser(site)
  const slopes = rise({
    crest: horizon + height * 0.015,
    relief: height * 0.08,
    frequency: 2,
    sharpness: 0.2,
    depth: 0.4,
    bottom: hasWater ? shore : height,
    colour: pine,
    mist: 0.6,
    headroom: height * 0.3,
  })
  plant(site, slopes, 'far wood', { size: height * 0.035, density: 130, colour: pine, kind: 'conifer' })
  buildCastle(site, slopes, height * 0.2)
  const bank = rise({
    crest: height * 0.93,
    relief: height * 0.1,
    frequency: 1.1,
    sharpness: 0,
    depth: 0.95,
    bottom: height,
    colour: pine,
    mist: 0,
    headroom: height * 0.2,
  })
  const density = hasWater ? 7 : 22
  plant(site, bank, 'near wood', { size: height * 0.17, density, colour: pine, kind: 'conifer' })
  if (hasWater) buildCabin(site, slopes, height * 0.06)
  if (hasWater) return [slopes, flood(site, { from: shore, swell: 0.06 }, rgb('#123c54')), bank]

  const middle = rise({
    crest: height * 0.8,
    relief: height * 0.1,
    frequency: 1.4,
    sharpness: 0.1,
    depth: 0.65,
    bottom: height,
    colour: pine,
    mist: 0.55,
    headroom: height * 0.1,
  })
  plant(site, middle, 'middle wood', { size: height * 0.08, density: 60, colour: pine, kind: 'conifer' })
  buildCabin(site, middle, height * 0.12)
  return [slopes, middle, bank]
}
