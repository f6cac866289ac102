import type { Scene } from '../../render/frame.ts'
import { blend, rgb, type Rgb } from '../colour.ts'
import { sowFlowers, wildflowers } from '../flowers.ts'
import { buildCabin } from './cabin.ts'
import { buildCastle } from './castle.ts'
import { grass, pine, plant, raiser, rock, type Site } from './site.ts'

/** A field of flowers in front of hedges and hills. */
export function meadow(site: Site): Scene[] {
  const { view, theme, palette, horizon, stream } = site
  const { height } = view
  const rise = raiser(site)
  const field = theme.light === 'golden' ? rgb('#c39a3c') : grass
  const hills = rise({
    crest: horizon - height * 0.06,
    relief: height * 0.11,
    frequency: 1.3,
    sharpness: 0.5,
    depth: 0.08,
    bottom: height * 0.8,
    colour: rock,
    mist: 0.6,
  })
  const slope = rise({
    crest: horizon + height * 0.03,
    relief: height * 0.07,
    frequency: 1.1,
    sharpness: 0,
    depth: 0.25,
    bottom: height * 0.9,
    colour: blend(field, pine, 0.35),
    mist: 0.4,
    texture: 0.25,
    headroom: height * 0.35,
  })
  const pasture = rise({
    crest: horizon + height * 0.12,
    relief: height * 0.07,
    frequency: 0.8,
    sharpness: 0,
    depth: 0.5,
    bottom: height,
    colour: field,
    mist: 0.25,
    texture: 0.25,
    headroom: height * 0.25,
  })
  plant(site, slope, 'hedge', {
    size: height * 0.04,
    density: 22,
    colour: rgb('#35592f'),
    kind: 'broadleaf',
  })
  plant(site, pasture, 'tree', {
    size: height * 0.2,
    density: 1.6,
    colour: theme.light === 'golden' ? rgb('#b5581f') : rgb('#3e6b2c'),
    kind: 'broadleaf',
  })
  buildCastle(site, slope, height * 0.22)
  buildCabin(site, pasture, height * 0.16)
  const front = rise({
    crest: height * 0.8,
    relief: height * 0.06,
    frequency: 0.7,
    sharpness: 0,
    depth: 0.9,
    bottom: height,
    colour: field,
    mist: 0,
    texture: 0.3,
    headroom: height * 0.08,
  })
  const named = theme.colours.map((hex) => rgb(hex))
  const [first, ...others] = named.length > 0 ? named : wildflowers
  const dim = (colour: Rgb): Rgb => blend(colour, palette.near, palette.backlight * 0.55)
  sowFlowers(front, stream('flowers'), {
    size: height * 0.075,
    grass: dim(blend(field, pine, 0.25)),
    light: palette.glow,
    petals: [dim(first ?? field), ...others.map(dim)],
    share: theme.features.has('flowers') ? 0.75 : 0.25,
  })
  return [hills, slope, pasture, front]
}
