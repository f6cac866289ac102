import { blankFrame, layered, type Scene } from '../render/frame.ts'
import { blend, gradient, rgb, scaled, tinted } from './colour.ts'
import { clamp } from './exact-math.ts'
import { grade } from './grade.ts'
import { noiseFrom } from './noise.ts'
import { paletteOf } from './palette.ts'
import { between, pick, type Streams } from './random.ts'
import { ridge } from './ridge.ts'
import { fillDisc, fillPolygon, type Point } from './shapes.ts'
import { shoal } from './shoal.ts'
import { lightShafts } from './light-shafts.ts'
import type { Theme } from './theme.ts'
import type { View } from './view.ts'
import { weather } from './weather.ts'

const corals = ['#ff6f61', '#f7b32b', '#e84a8a', '#9b5de5', '#ff9f6b'] as const

/** A scene under water: shafts of light, a shoal of fish and a reef. */
export function underwater(view: View, theme: Theme, stream: Streams): Scene {
  const { width, height } = view
  const random = stream('underwater')
  const noise = noiseFrom(stream('water'))
  const [named] = theme.colours
  const stops = ['#bdf4ee', '#3fc1d6', '#1279b0', '#0a3f7c', '#051c45'].map((hex) =>
    named === undefined ? rgb(hex) : tinted(rgb(hex), rgb(named), 0.4),
  )
  const base = blankFrame(width, height)
  const sourceX = width * between(random, 0.3, 0.7)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const aside = (x - sourceX) / height
      const colour = gradient(stops, clamp(0.04 + (y / height) * 0.95 + aside * aside * 0.28))
      base.pixels.set(colour, (y * width + x) * 3)
    }
  }
  const backdrop: Scene = { paint: (frame) => frame.pixels.set(base.pixels) }
  const palette = {
    ...paletteOf({ ...theme, light: 'day', colours: [] }, stream('palette')),
    haze: stops[2]!,
    near: stops[4]!,
    glow: stops[0]!,
    backlight: 0.35,
    sky: stops,
  }
  const floor = noiseFrom(stream('reef'))
  const reefs = [0, 1, 2].map((row) => {
    const reef = ridge(view, palette, floor, sourceX, {
      crest: height * (0.78 + row * 0.08),
      relief: height * (0.12 - row * 0.015),
      frequency: 1.5 + row * 0.4,
      sharpness: 0.25,
      depth: 0.3 + row * 0.32,
      bottom: height,
      colour: rgb('#2b6a78'),
      mist: 0.5,
      texture: 0.6,
      headroom: height * 0.14,
    })
    const growth = stream(`coral ${row}`)
    for (let i = 0; i < 16 + row * 4; i++) {
      const x = growth() * reef.sprite.width
      const root = reef.crestAt(x) - reef.top + height * 0.02
      const colour = blend(blend(rgb(pick(growth, corals)), stops[3]!, 0.62 - row * 0.22), stops[1]!, 0.12)
      const size = height * between(growth, 0.03, 0.075) * (0.6 + row * 0.3)
      for (let arm = 0; arm < 9; arm++) {
        const side = (arm / 8 - 0.5) * 1.6
        const reach = size * between(growth, 0.7, 1.1)
        const tip: Point = [x + side * reach * 0.8, root - reach * (1.15 - Math.abs(side) * 0.5)]
        fillPolygon(
          reef.sprite,
          [
            [x - size * 0.07, root],
            [x + size * 0.07, root],
            [tip[0] + size * 0.05, tip[1]],
            [tip[0] - size * 0.05, tip[1]],
          ],
          scaled(colour, 0.85),
        )
        fillDisc(reef.sprite, tip, size * 0.075, blend(colour, [1, 1, 1], 0.15))
      }
    }
    return reef
  })
  const [backReef, ...nearReefs] = reefs
  return layered([
    backdrop,
    lightShafts(view, noise, sourceX),
    backReef!,
    shoal(view, stream, stops),
    ...nearReefs,
    weather(view, stream('bubbles'), 'bubbles'),
    grade(view, { x: sourceX, y: 0, colour: stops[0]!, strength: 0.16 }),
  ])
}
