import { layered, type Scene } from '../render/frame.ts'
import { clouds } from './clouds.ts'
import { grade } from './grade.ts'
import { groundLayers } from './ground/ground-layers.ts'
import { lightning } from './lightning.ts'
import { noiseFrom } from './noise.ts'
import { balloons, birds } from './objects.ts'
import { paletteOf } from './palette.ts'
import { between, type Streams } from './random.ts'
import { type Luminary, sky } from './sky.ts'
import { aurora, stars } from './stars.ts'
import type { Ground, Theme } from './theme.ts'
import type { View } from './view.ts'
import { weather, type Weather } from './weather.ts'

/** Where the horizon may be, in picture heights from the top. */
const horizons: Partial<Record<Ground, readonly [number, number]>> = {
  sea: [0.5, 0.62],
  city: [0.66, 0.74],
  meadow: [0.54, 0.64],
  desert: [0.52, 0.64],
  forest: [0.56, 0.64],
}

/** A landscape: sky, ground, the things on it, and weather, painted from the back to the front. */
export function landscape(view: View, theme: Theme, stream: Streams): Scene {
  const { width, height } = view
  const { features, ground, light } = theme
  const palette = paletteOf(theme, stream('palette'))
  const place = stream('place')
  const horizon = height * between(place, ...(horizons[ground] ?? [0.56, 0.66]))
  const isMoon = palette.isNight || features.has('moon')
  const luminary: Luminary = {
    x: width * (place() < 0.5 ? between(place, 0.22, 0.42) : between(place, 0.58, 0.78)),
    y: horizon * (1 - palette.sunHeight),
    radius: Math.min(width, height) * (isMoon ? 0.045 : light === 'neon' ? 0.17 : 0.05),
    isMoon: isMoon && light !== 'neon',
  }
  const layers: Scene[] = [sky(view, palette, horizon, luminary, light !== 'storm' || isMoon)]
  if (palette.isNight || features.has('stars')) {
    layers.push(stars(view, stream('stars'), horizon, features.has('stars') ? 1.5 : 0.8))
  }
  if (features.has('aurora')) layers.push(aurora(view, stream('aurora'), horizon))
  if (!features.has('clear') && light !== 'neon') {
    const cover = light === 'storm' ? 0.85 : palette.isNight ? 0.22 : features.has('clouds') ? 0.6 : 0.42
    layers.push(clouds(view, noiseFrom(stream('clouds')), palette, luminary, { cover, floor: horizon }))
  }
  if (features.has('lightning')) layers.push(lightning(view, stream('lightning'), horizon))
  if (features.has('birds')) layers.push(birds(view, stream('birds'), palette, horizon))
  if (features.has('balloon')) layers.push(balloons(view, stream('balloons'), palette, horizon))
  layers.push(...groundLayers({ view, theme, palette, luminary, horizon, stream }))
  for (const kind of weathersOf(theme)) layers.push(weather(view, stream(kind), kind))
  layers.push(
    grade(view, { x: luminary.x, y: luminary.y, colour: palette.glow, strength: isMoon ? 0.06 : 0.18 }),
  )
  return layered(layers)
}

/** The weather that a theme has. */
export function weathersOf({ features, ground }: Theme): Weather[] {
  const kinds: Weather[] = []
  if (features.has('snowfall')) kinds.push('snowfall')
  if (features.has('rain')) kinds.push('rain')
  if (features.has('fireflies')) kinds.push('fireflies')
  if (features.has('embers') || ground === 'volcano') kinds.push('embers')
  if (features.has('flowers') && ground !== 'meadow') kinds.push('petals')
  return kinds
}
