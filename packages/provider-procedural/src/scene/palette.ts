import { blend, luminance, rgb, type Rgb, tinted, turned } from './colour.ts'
import { between, type Random } from './random.ts'
import type { Light, Theme } from './theme.ts'

/** The light of a landscape. */
export interface Palette {
  /** From the zenith to the horizon. */
  readonly sky: readonly Rgb[]
  /** The disc of the sun or moon. */
  readonly sun: Rgb
  /** The light around the sun or moon. */
  readonly glow: Rgb
  /** The colour into which distant things fade. */
  readonly haze: Rgb
  /** The colour into which the nearest things darken. */
  readonly near: Rgb
  readonly cloudLit: Rgb
  readonly cloudShade: Rgb
  /** How high the sun or moon is above the horizon, as a share of the height of the sky. */
  readonly sunHeight: number
  /** How dark the ground is against the light, from 0 to 1, where it is only a silhouette. */
  readonly backlight: number
  readonly isNight: boolean
}

interface Swatches {
  readonly sky: readonly string[]
  readonly light: readonly [
    sun: string,
    glow: string,
    haze: string,
    near: string,
    cloudLit: string,
    cloudShade: string,
  ]
  readonly sunHeight: readonly [low: number, high: number]
  readonly backlight: number
}

const swatches: Record<Light, Swatches> = {
  dawn: {
    sky: ['#4a5f9c', '#8d86b8', '#dda6b4', '#f8cdae', '#fff0d2'],
    light: ['#fffaea', '#ffd3a1', '#e9bfc0', '#2c2f55', '#ffe3d3', '#9484b3'],
    sunHeight: [0.06, 0.2],
    backlight: 0.55,
  },
  day: {
    sky: ['#1858ae', '#3f86d3', '#83bdec', '#d3eaf7'],
    light: ['#ffffff', '#fff3cf', '#b4d3ea', '#173a35', '#ffffff', '#93b0cf'],
    sunHeight: [0.5, 0.75],
    backlight: 0.12,
  },
  sunset: {
    sky: ['#1a1a4f', '#572a72', '#b73a66', '#f4703f', '#ffc766'],
    light: ['#fff6cf', '#ffa048', '#d8625a', '#190e2e', '#ffa778', '#5c2d66'],
    sunHeight: [0.05, 0.16],
    backlight: 0.8,
  },
  dusk: {
    sky: ['#0d1440', '#2b2d6c', '#614f96', '#b078a4', '#f3b3a0'],
    light: ['#fff1dc', '#f7a58f', '#8a6aa0', '#10102e', '#d99bb4', '#3b3570'],
    sunHeight: [0.02, 0.08],
    backlight: 0.75,
  },
  night: {
    sky: ['#02041a', '#081136', '#122654', '#2a4a7c'],
    light: ['#fbf6e4', '#86a9e0', '#2c4a7c', '#02050f', '#4a6396', '#0c1838'],
    sunHeight: [0.45, 0.75],
    backlight: 0.78,
  },
  storm: {
    sky: ['#1a2129', '#333f4a', '#5a6a74', '#a3aca9'],
    light: ['#f2f0e4', '#b9c0b8', '#7d8a90', '#10161b', '#97a1a5', '#252e37'],
    sunHeight: [0.25, 0.5],
    backlight: 0.5,
  },
  golden: {
    sky: ['#46719e', '#90aebb', '#e8d3a6', '#f9bd66', '#ffdd9a'],
    light: ['#fff9dc', '#ffc862', '#e6bd88', '#38200f', '#fff0cf', '#c2a08b'],
    sunHeight: [0.12, 0.3],
    backlight: 0.4,
  },
  winter: {
    sky: ['#4d78ab', '#8db2d4', '#cadeee', '#f9ece2'],
    light: ['#fffdf5', '#ffe6cc', '#c9dae8', '#24364d', '#ffffff', '#a9bfd6'],
    sunHeight: [0.12, 0.35],
    backlight: 0.2,
  },
  neon: {
    sky: ['#08041f', '#260a50', '#7a1479', '#e8348f', '#ff9a63'],
    light: ['#fff0b0', '#ff4fa3', '#8a2a8f', '#07031a', '#ff7ab8', '#2c0d55'],
    sunHeight: [0.1, 0.2],
    backlight: 0.85,
  },
}

export function paletteOf(theme: Theme, random: Random): Palette {
  const { sky, light, sunHeight, backlight } = swatches[theme.light]
  // Rotates the hues a little, so that two seeds do not look the same.
  const turn = between(random, -0.03, 0.03)
  const [first] = theme.colours
  const adjust = (hex: string): Rgb => {
    const colour = turned(rgb(hex), turn)
    return first === undefined ? colour : tinted(colour, rgb(first), 0.38)
  }
  const [sun, glow, haze, near, cloudLit, cloudShade] = light
  return {
    sky: sky.map(adjust),
    sun: blend(rgb(sun), adjust(sun), 0.3),
    glow: adjust(glow),
    haze: adjust(haze),
    near: adjust(near),
    cloudLit: adjust(cloudLit),
    cloudShade: adjust(cloudShade),
    sunHeight: between(random, ...sunHeight),
    backlight,
    isNight: luminance(rgb(sky[0] ?? '#000000')) < 0.06,
  }
}
