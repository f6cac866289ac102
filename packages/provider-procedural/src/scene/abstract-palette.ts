import { blend, rgb, type Rgb, scaled, turned } from './colour.ts'
import { between, pick, type Random } from './random.ts'
import type { Light, Theme } from './theme.ts'

const moods = [
  ['#0b1b3b', '#1f4f7b', '#2f9aa0', '#f2c57c', '#f7f0df'],
  ['#1a0b2e', '#5b1a5e', '#c2356b', '#f58a4b', '#ffe3b0'],
  ['#07222b', '#0f5c5c', '#5fae7b', '#e3d98a', '#fff7e0'],
  ['#1c1038', '#40309a', '#7a6df0', '#f59ac1', '#fff0f3'],
  ['#2a0a12', '#8f1d2c', '#e2543a', '#f7b267', '#fdf0d5'],
  ['#0d0d18', '#2c3a5e', '#6b8fb5', '#d9c2b0', '#faf3ea'],
] as const

const moodOfLight: Partial<Record<Light, number>> = {
  dawn: 3,
  sunset: 1,
  night: 0,
  golden: 4,
  winter: 5,
  neon: 1,
  dusk: 3,
  day: 2,
}

/** Five colours from dark to light, for abstract pictures. */
export function abstractPalette({ colours, light }: Theme, random: Random): readonly Rgb[] {
  const turn = between(random, -0.08, 0.08)
  const [first, second] = colours.map((hex) => rgb(hex))
  if (first) {
    const other = second ?? turned(first, pick(random, [0.12, -0.12, 0.45]))
    return [scaled(first, 0.16), scaled(first, 0.55), first, other, blend(other, [1, 0.97, 0.92], 0.75)]
  }
  const index = moodOfLight[light]
  const mood = index === undefined || random() < 0.4 ? pick(random, moods) : moods[index]
  return (mood ?? moods[0]).map((hex) => turned(rgb(hex), turn))
}
