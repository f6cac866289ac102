import { blend, type Rgb, rgb } from '../colour.ts'
import { noiseFrom } from '../noise.ts'
import type { Palette } from '../palette.ts'
import type { Streams } from '../random.ts'
import { ridge, type Ridge, type RidgeForm } from '../ridge.ts'
import type { Luminary } from '../sky.ts'
import type { Theme } from '../theme.ts'
import { plantTrees, type Wood } from '../trees.ts'
import type { View } from '../view.ts'
import { water, type WaterForm } from '../water.ts'
import type { Scene } from '../../render/frame.ts'

/** Everything that the layers of a ground have in common. */
export interface Site {
  readonly view: View
  readonly theme: Theme
  readonly palette: Palette
  readonly luminary: Luminary
  /** The y of the horizon. */
  readonly horizon: number
  readonly stream: Streams
}

export const rock = rgb('#56687c')
export const pine = rgb('#1d4034')
export const grass = rgb('#5d8a35')

/** So much snow covers a ridge down to its foot. */
const wholly = 4

/** Returns a function that makes ridges, which share one noise and the light and fog of the site. */
export function raiser({ view, theme, palette, luminary, stream }: Site): (form: RidgeForm) => Ridge {
  const noise = noiseFrom(stream('ground'))
  const fog = theme.features.has('fog') ? 0.45 : 0
  const snow = theme.features.has('snow') ? wholly : 0
  return (form) =>
    ridge(view, palette, noise, luminary.x, {
      ...form,
      snow: form.snow ?? snow,
      mist: (form.mist ?? 0.5) + fog,
    })
}

/** Paints trees on a ridge, in the light of the site. Distant trees fade into the haze. */
export function plant(
  { view, palette, stream }: Site,
  slope: Ridge,
  purpose: string,
  trees: Omit<Wood, 'light'>,
): void {
  const far = 1 - slope.form.depth
  const shade = blend(
    blend(trees.colour, palette.near, palette.backlight * 0.9),
    palette.haze,
    far * far * 0.75,
  )
  plantTrees(slope, stream(purpose), view.height, { ...trees, colour: shade, light: palette.glow })
}

/** Makes water from `form.from` down to the lower edge of the picture. `colour` is the colour of deep water by day. */
export function flood(
  { view, palette, luminary, stream }: Site,
  form: Pick<WaterForm, 'from' | 'swell'>,
  colour: Rgb,
): Scene {
  const deep = blend(colour, palette.near, 0.2 + palette.backlight * 0.4)
  return water(view, palette, noiseFrom(stream('water')), luminary, {
    ...form,
    to: view.height,
    colour: deep,
  })
}
