import type { Scene } from '../../render/frame.ts'
import { rgb } from '../colour.ts'
import { lighthouse, sailboat } from '../objects.ts'
import { flood, plant, raiser, rock, type Site } from './site.ts'

/** Open water up to the horizon, with the boats and other things that the prompt names. */
export function sea(site: Site): Scene[] {
  const { view, theme, palette, horizon, stream } = site
  const { height } = view
  const layers: Scene[] = []
  const rise = raiser(site)
  layers.push(
    rise({
      crest: horizon + height * 0.03,
      relief: height * 0.09,
      frequency: 0.9,
      sharpness: 0.45,
      depth: 0.1,
      bottom: horizon,
      colour: rock,
      mist: 0.6,
    }),
  )
  if (theme.features.has('lighthouse'))
    layers.push(lighthouse(view, stream('lighthouse'), palette, horizon + 1))
  const swell = theme.light === 'storm' ? 1 : 0.55
  layers.push(flood(site, { from: horizon, swell }, rgb(palette.isNight ? '#0a2038' : '#0d5872')))
  if (theme.features.has('boat'))
    layers.push(sailboat(view, stream('boat'), palette, horizon + height * 0.09))
  if (theme.features.has('palms')) {
    const beach = rise({
      crest: height * 1.0,
      relief: height * 0.12,
      frequency: 0.6,
      sharpness: 0,
      depth: 0.9,
      bottom: height,
      colour: rgb('#caa774'),
      mist: 0,
      headroom: height * 0.5,
    })
    plant(site, beach, 'palms', { size: height * 0.42, density: 3, colour: rgb('#24402a'), kind: 'palm' })
    layers.push(beach)
  }
  return layers
}
