import type { Scene } from '../render/frame.ts'
import { blend, rgb, type Rgb, scaled } from './colour.ts'
import { sin } from './exact-math.ts'
import type { Palette } from './palette.ts'
import { between, pick, type Random } from './random.ts'
import { ellipse, fillDisc, fillPolygon, type Point } from './shapes.ts'
import { blankSprite, laySprite } from './sprite.ts'
import { cameraShift, type View } from './view.ts'

/** A distant flock of birds that beat their wings. */
export function birds(view: View, random: Random, palette: Palette, floor: number): Scene {
  const ink = blend(palette.near, palette.haze, 0.15)
  const lead = { x: between(random, 0.3, 0.7) * view.width, y: floor * between(random, 0.25, 0.5) }
  const flock = Array.from({ length: 9 }, () => ({
    x: lead.x + between(random, -0.22, 0.22) * view.height,
    y: lead.y + between(random, -0.1, 0.1) * view.height,
    size: view.height * between(random, 0.008, 0.018),
    pace: between(random, 4, 6.5),
    phase: random() * 6,
  }))
  return {
    paint(frame, seconds) {
      for (const bird of flock) {
        const beat = sin(bird.phase + seconds * bird.pace)
        const box = Math.ceil(bird.size * 2.6)
        const sprite = blankSprite(box + 2, box)
        const middle = box / 2
        const wing = (side: number): Point[] => [
          [middle, middle],
          [middle + side * bird.size * 0.55, middle - bird.size * (0.18 + 0.32 * beat)],
          [middle + side * bird.size * 1.2, middle - bird.size * (0.05 + 0.5 * beat)],
          [middle + side * bird.size * 0.5, middle - bird.size * (0.02 + 0.22 * beat)],
          [middle, middle + bird.size * 0.16],
        ]
        fillPolygon(sprite, wing(-1), ink)
        fillPolygon(sprite, wing(1), ink)
        laySprite(frame, sprite, middle - bird.x - seconds * view.height * 0.03, Math.round(bird.y - middle))
      }
    },
  }
}

/** A sailing boat that rocks on the swell. */
export function sailboat(view: View, random: Random, palette: Palette, waterline: number): Scene {
  const size = view.height * between(random, 0.12, 0.17)
  const sail = blend(blend([0.97, 0.95, 0.9], palette.glow, 0.3), palette.near, palette.backlight * 0.55)
  const hull = blend(rgb('#5a2d22'), palette.near, 0.35 + palette.backlight * 0.5)
  const x = view.width * between(random, 0.3, 0.62)
  return {
    paint(frame, seconds) {
      const rock = sin(seconds * 1.3) * 0.04
      const sprite = blankSprite(Math.ceil(size * 1.4) + 2, Math.ceil(size * 1.2))
      const middle = size * 0.7
      const keel = size * 1.08
      const turn = (points: Point[]): Point[] =>
        points.map(([px, py]): Point => [px - (py - keel) * rock, py + (px - middle) * rock])
      fillPolygon(
        sprite,
        turn([
          [middle - 1, keel - size],
          [middle + 1, keel - size],
          [middle + 1, keel - size * 0.1],
          [middle - 1, keel - size * 0.1],
        ]),
        hull,
      )
      fillPolygon(
        sprite,
        turn([
          [middle + size * 0.02, keel - size * 0.98],
          [middle + size * 0.3, keel - size * 0.55],
          [middle + size * 0.4, keel - size * 0.17],
          [middle + size * 0.02, keel - size * 0.17],
        ]),
        sail,
      )
      fillPolygon(
        sprite,
        turn([
          [middle - size * 0.03, keel - size * 0.9],
          [middle - size * 0.2, keel - size * 0.5],
          [middle - size * 0.3, keel - size * 0.17],
          [middle - size * 0.03, keel - size * 0.17],
        ]),
        scaled(sail, 0.86),
      )
      fillPolygon(
        sprite,
        turn([
          [middle - size * 0.4, keel - size * 0.13],
          [middle + size * 0.46, keel - size * 0.13],
          [middle + size * 0.34, keel],
          [middle - size * 0.3, keel],
        ]),
        hull,
      )
      laySprite(frame, sprite, middle - x - seconds * view.height * 0.012, Math.round(waterline - keel))
    },
  }
}

/** Hot-air balloons that rise slowly. */
export function balloons(view: View, random: Random, palette: Palette, floor: number): Scene {
  const schemes = [
    ['#d7263d', '#f7e8d0'],
    ['#f5a021', '#7d2f6e'],
    ['#1f7a8c', '#f7d038'],
    ['#e0607e', '#3b4ba0'],
  ] as const
  const all = [1, 0.6, 0.42, 0.3].map((size) => ({
    x: view.width * between(random, 0.12, 0.88),
    y: floor * between(random, 0.12, 0.6),
    size: view.height * 0.15 * size,
    far: 1 - size,
    scheme: pick(random, schemes),
  }))
  return {
    paint(frame, seconds) {
      for (const { x, y, size, far, scheme } of [...all].toReversed()) {
        const sprite = blankSprite(Math.ceil(size * 1.2) + 2, Math.ceil(size * 1.9))
        const centre: Point = [size * 0.6, size * 0.6]
        const shade = (colour: Rgb): Rgb =>
          blend(blend(colour, palette.near, palette.backlight * 0.35), palette.haze, far * 0.5)
        for (let gore = 0; gore < 7; gore++) {
          const across = size * 0.5 * (1 - gore / 7)
          const colour = shade(rgb(scheme[gore % 2]!))
          fillPolygon(
            sprite,
            [...ellipse(centre, across, size * 0.52)],
            blend(scaled(colour, 0.72), colour, gore / 5),
          )
          fillPolygon(
            sprite,
            [
              [centre[0] - across * 0.9, centre[1] + size * 0.22],
              [centre[0] + across * 0.9, centre[1] + size * 0.22],
              [centre[0] + across * 0.3, centre[1] + size * 0.74],
              [centre[0] - across * 0.3, centre[1] + size * 0.74],
            ],
            blend(scaled(colour, 0.66), colour, gore / 6),
          )
        }
        const basket = shade(rgb('#6b4226'))
        fillPolygon(
          sprite,
          [
            [size * 0.51, size * 1.5],
            [size * 0.69, size * 1.5],
            [size * 0.67, size * 1.66],
            [size * 0.53, size * 1.66],
          ],
          basket,
        )
        for (const side of [-1, 1]) {
          fillPolygon(
            sprite,
            [
              [size * (0.6 + side * 0.13), size * 1.33],
              [size * (0.6 + side * 0.13) + 1, size * 1.33],
              [size * (0.6 + side * 0.075) + 1, size * 1.5],
              [size * (0.6 + side * 0.075), size * 1.5],
            ],
            basket,
          )
        }
        laySprite(
          frame,
          sprite,
          size * 0.6 - x - seconds * size * 0.05,
          Math.round(y - size * 0.6 - seconds * size * 0.07),
        )
      }
    },
  }
}

/** A lighthouse on its rock, with a turning beam. */
export function lighthouse(view: View, random: Random, palette: Palette, waterline: number): Scene {
  const size = view.height * 0.3
  const x = view.width * (random() < 0.5 ? 0.2 : 0.8)
  const sprite = blankSprite(Math.ceil(size * 1.4) + 2, Math.ceil(size * 1.2))
  const middle = size * 0.7
  const foot = size * 1.05
  const shade = (colour: Rgb): Rgb => blend(colour, palette.near, palette.backlight * 0.6)
  for (let band = 0; band < 6; band++) {
    const half = (at: number): number => size * (0.085 - 0.04 * at)
    const low = band / 6
    const high = (band + 1) / 6
    const y = (at: number): number => foot - size * (0.06 + 0.7 * at)
    fillPolygon(
      sprite,
      [
        [middle - half(low), y(low)],
        [middle + half(low), y(low)],
        [middle + half(high), y(high)],
        [middle - half(high), y(high)],
      ],
      shade(rgb(band % 2 === 0 ? '#f4efe6' : '#c8362f')),
    )
  }
  fillPolygon(
    sprite,
    [
      [middle - size * 0.065, foot - size * 0.76],
      [middle + size * 0.065, foot - size * 0.76],
      [middle + size * 0.065, foot - size * 0.78],
      [middle - size * 0.065, foot - size * 0.78],
    ],
    shade(rgb('#2a2f38')),
  )
  fillDisc(sprite, [middle, foot - size * 0.82], size * 0.035, rgb('#fff0b8'))
  fillPolygon(
    sprite,
    [
      [middle - size * 0.055, foot - size * 0.855],
      [middle + size * 0.055, foot - size * 0.855],
      [middle, foot - size * 0.92],
    ],
    shade(rgb('#a52a26')),
  )
  fillPolygon(
    sprite,
    [
      [middle - size * 0.62, foot],
      [middle - size * 0.4, foot - size * 0.08],
      [middle - size * 0.2, foot - size * 0.06],
      [middle - size * 0.12, foot - size * 0.13],
      [middle + size * 0.14, foot - size * 0.12],
      [middle + size * 0.3, foot - size * 0.05],
      [middle + size * 0.66, foot],
    ],
    shade(rgb('#39373c')),
  )
  return {
    paint: (frame, seconds) =>
      laySprite(
        frame,
        sprite,
        middle - x + cameraShift(view, seconds) * 0.25,
        Math.round(waterline - foot + 2),
      ),
  }
}
