import type { Scene } from '../../render/frame.ts'
import { city } from './city.ts'
import { desert } from './desert.ts'
import { forest } from './forest.ts'
import { meadow } from './meadow.ts'
import { mountains } from './mountains.ts'
import { sea } from './sea.ts'
import type { Site } from './site.ts'
import { volcano } from './volcano.ts'

/** Everything below the sky, from the horizon to the lower edge of the picture. The first layer is at the back. */
export function groundLayers(site: Site): Scene[] {
  switch (site.theme.ground) {
    case 'sea':
      return sea(site)
    case 'city':
      return city(site)
    case 'forest':
      return forest(site)
    case 'desert':
      return desert(site)
    case 'meadow':
      return meadow(site)
    case 'volcano':
      return volcano(site)
    default:
      return mountains(site)
  }
}
