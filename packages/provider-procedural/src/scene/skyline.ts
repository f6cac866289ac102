import type { Scene } from '../render/frame.ts'
import { blend, rgb, type Rgb, scaled } from './colour.ts'
import type { Palette } from './palette.ts'
import { between, pick, type Random } from './random.ts'
import { fillPolygon, type Point } from './shapes.ts'
import { blankSprite, laySprite, type Sprite } from './sprite.ts'
import { cameraShift, overscan, type View } from './view.ts'

export interface SkylineForm {
  /** The y of the street. */
  readonly base: number
  /** How tall the towers may be, in pixels. */
  readonly tallest: number
  readonly depth: number
  readonly isNeon: boolean
}

const neonSigns = ['#ff2e93', '#22e3ff', '#ffe14d', '#8a5bff'] as const

/** One row of buildings with lit windows. */
export function skyline(view: View, palette: Palette, random: Random, form: SkylineForm): Scene {
  const { base, tallest, depth, isNeon } = form
  const top = Math.max(0, Math.floor(base - tallest * 1.5))
  const sprite = blankSprite(view.width + overscan(view, depth), Math.ceil(base) - top)
  const floor = base - top
  const wall = blend(
    blend(rgb('#5b6678'), palette.near, 0.25 + palette.backlight * 0.7),
    palette.haze,
    (1 - depth) * 0.62,
  )
  const lamp = isNeon ? rgb('#ffd0f0') : rgb('#ffd58a')
  const isLit = palette.backlight > 0.45
  const centre = between(random, 0.3, 0.7) * view.width
  let x = -tallest * 0.1
  while (x < sprite.width) {
    const width = view.height * between(random, 0.035, 0.085) * (0.55 + depth)
    const away = (x - centre) / (view.width * 0.42)
    const height =
      tallest * between(random, 0.32, 0.75) +
      (tallest * 0.5 * between(random, 0.2, 1)) / (1 + away * away * 3)
    const shade = blend(wall, scaled(wall, 0.72), random())
    tower(sprite, random, { x, floor, width, height, shade, sideLight: blend(shade, palette.glow, 0.16) })
    windows(sprite, random, {
      x,
      floor,
      width,
      height,
      isLit,
      lamp,
      depth,
      glass: blend(shade, palette.sky.at(-2) ?? shade, isLit ? 0.16 : 0.34),
      unit: view.height / 720,
    })
    if (isNeon && depth > 0.3 && random() < 0.5)
      sign(
        sprite,
        random,
        x + width * 0.3,
        floor - height * between(random, 0.3, 0.8),
        height * 0.2,
        width * 0.14,
      )
    x += width * between(random, 0.88, 1.15)
  }
  return { paint: (frame, seconds) => laySprite(frame, sprite, cameraShift(view, seconds) * depth, top) }
}

interface Tower {
  readonly x: number
  readonly floor: number
  readonly width: number
  readonly height: number
}

function tower(sprite: Sprite, random: Random, t: Tower & { shade: Rgb; sideLight: Rgb }): void {
  const { x, floor, width, height, shade, sideLight } = t
  const roof = floor - height
  box(sprite, x, roof, width, height, shade)
  box(sprite, x, roof, width * 0.1, height, sideLight, 0.7)
  const crown = pick(random, ['flat', 'flat', 'step', 'step', 'spire', 'slant', 'tank'])
  if (crown === 'step' || crown === 'spire') {
    box(sprite, x + width * 0.18, roof - height * 0.07, width * 0.64, height * 0.08, shade)
    box(sprite, x + width * 0.34, roof - height * 0.12, width * 0.32, height * 0.06, shade)
  }
  if (crown === 'spire') {
    const middle = x + width / 2
    fillPolygon(
      sprite,
      [
        [middle - width * 0.05, roof - height * 0.1],
        [middle + width * 0.05, roof - height * 0.1],
        [middle, roof - height * 0.34],
      ],
      shade,
    )
  }
  if (crown === 'slant')
    fillPolygon(
      sprite,
      [
        [x, roof + 1],
        [x + width, roof + 1],
        [x + width, roof - width * 0.4],
      ],
      shade,
    )
  if (crown === 'tank')
    box(sprite, x + width * 0.2, roof - width * 0.25, width * 0.3, width * 0.26, scaled(shade, 0.85))
}

function windows(
  sprite: Sprite,
  random: Random,
  w: Tower & { isLit: boolean; lamp: Rgb; depth: number; glass: Rgb; unit: number },
): void {
  const { x, floor, width, height, isLit, lamp, depth, glass, unit } = w
  const pitch = Math.max(3.2, (4 + depth * 7) * unit)
  const columns = Math.floor((width * 0.84) / pitch)
  const rows = Math.floor((height * 0.94) / (pitch * 1.25))
  const busy = between(random, 0.12, 0.5)
  const inset = (width - columns * pitch) / 2
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const on = isLit && random() < busy
      const warmth = random()
      const colour = on ? blend(lamp, warmth < 0.2 ? rgb('#cfe6ff') : lamp, 0.6) : glass
      const alpha = on ? (0.35 + 0.6 * random()) * (0.35 + depth * 0.65) : 0.45
      box(
        sprite,
        x + inset + column * pitch + pitch * 0.2,
        floor - height + height * 0.04 + row * pitch * 1.25,
        pitch * 0.58,
        pitch * 0.72,
        colour,
        alpha,
      )
    }
  }
}

function sign(sprite: Sprite, random: Random, x: number, y: number, height: number, width: number): void {
  const colour = rgb(pick(random, neonSigns))
  for (const [spread, alpha] of [
    [2.6, 0.1],
    [1.7, 0.18],
    [1, 0.95],
  ] as const) {
    box(
      sprite,
      x - (width * (spread - 1)) / 2,
      y - (width * (spread - 1)) / 2,
      width * spread,
      height + width * (spread - 1),
      colour,
      alpha,
    )
  }
}

function box(
  sprite: Sprite,
  x: number,
  y: number,
  width: number,
  height: number,
  colour: Rgb,
  alpha = 1,
): void {
  const corners: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
  fillPolygon(sprite, corners, colour, alpha)
}
