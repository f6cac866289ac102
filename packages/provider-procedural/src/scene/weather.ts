import type { Frame, Scene } from '../render/frame.ts'
import type { Rgb } from './colour.ts'
import { sin } from './exact-math.ts'
import { between, type Random } from './random.ts'
import type { View } from './view.ts'

/** How one kind of weather moves and looks. Lengths are in picture heights, speeds in picture heights per second. */
interface Fall {
  readonly count: number
  readonly size: readonly [number, number]
  readonly down: number
  readonly across: number
  readonly sway: number
  /** The length of the streak that shows a drop, as a multiple of the drop's size. */
  readonly streak: number
  readonly colours: readonly Rgb[]
  readonly alpha: number
  /** Whether the grains add light to the picture instead of covering it. */
  readonly glows: boolean
}

const falls = {
  snowfall: {
    count: 420,
    size: [0.0012, 0.0055],
    down: 0.09,
    across: 0.02,
    sway: 0.015,
    streak: 1,
    colours: [[1, 1, 1]],
    alpha: 0.85,
    glows: false,
  },
  rain: {
    count: 620,
    size: [0.0006, 0.0012],
    down: 1.5,
    across: -0.16,
    sway: 0,
    streak: 34,
    colours: [[0.8, 0.86, 0.92]],
    alpha: 0.22,
    glows: true,
  },
  fireflies: {
    count: 70,
    size: [0.002, 0.0045],
    down: -0.012,
    across: 0.012,
    sway: 0.035,
    streak: 1,
    colours: [
      [1, 0.9, 0.35],
      [0.85, 1, 0.4],
    ],
    alpha: 1,
    glows: true,
  },
  embers: {
    count: 160,
    size: [0.001, 0.0034],
    down: -0.12,
    across: 0.03,
    sway: 0.02,
    streak: 1,
    colours: [
      [1, 0.55, 0.15],
      [1, 0.32, 0.08],
      [1, 0.75, 0.3],
    ],
    alpha: 1,
    glows: true,
  },
  petals: {
    count: 90,
    size: [0.002, 0.006],
    down: 0.06,
    across: 0.07,
    sway: 0.03,
    streak: 1,
    colours: [
      [1, 0.76, 0.84],
      [1, 0.88, 0.92],
    ],
    alpha: 0.9,
    glows: false,
  },
  bubbles: {
    count: 90,
    size: [0.0015, 0.006],
    down: -0.07,
    across: 0.004,
    sway: 0.012,
    streak: 1,
    colours: [[0.75, 0.95, 1]],
    alpha: 0.5,
    glows: true,
  },
} as const satisfies Record<string, Fall>

export type Weather = keyof typeof falls

/**
 * Grains such as raindrops, snowflakes or sparks that fall, rise or hover in front of everything, for the whole film.
 */
export function weather(view: View, random: Random, kind: Weather): Scene {
  const fall: Fall = falls[kind]
  const { height, width } = view
  const grains = Array.from({ length: Math.round((fall.count * width) / height) }, () => {
    const near = random() * random()
    return {
      x: random(),
      y: random(),
      near,
      radius: Math.max(0.6, height * (fall.size[0] + (fall.size[1] - fall.size[0]) * near)),
      pace: between(random, 0.6, 1) * (0.5 + near),
      phase: random() * 6,
      colour: fall.colours[Math.floor(random() * fall.colours.length)] ?? fall.colours[0]!,
    }
  })
  return {
    paint(frame, seconds) {
      for (const grain of grains) {
        const sway = sin(grain.phase + seconds * (1 + grain.pace)) * fall.sway
        const wide = width / height + 0.2
        const x = (wrap(grain.x + (seconds * fall.across * grain.pace + sway) / wide) * wide - 0.1) * height
        const y = (wrap(grain.y + (seconds * fall.down * grain.pace) / 1.2) * 1.2 - 0.1) * height
        const blink = kind === 'fireflies' ? Math.max(0, sin(grain.phase * 3 + seconds * 1.7)) : 1
        const alpha = fall.alpha * blink * (0.35 + 0.65 * grain.near)
        if (fall.streak > 1) streak(frame, x, y, grain.radius, fall, alpha, height)
        else grainOf(frame, x, y, grain.radius, grain.colour, alpha, fall.glows)
      }
    },
  }
}

function wrap(value: number): number {
  return value - Math.floor(value)
}

function grainOf(
  frame: Frame,
  x: number,
  y: number,
  radius: number,
  colour: Rgb,
  alpha: number,
  glows: boolean,
): void {
  const reach = Math.ceil(radius * (glows ? 4 : 1.6))
  for (
    let row = Math.max(0, Math.floor(y) - reach);
    row <= Math.min(frame.height - 1, Math.floor(y) + reach);
    row++
  ) {
    for (
      let column = Math.max(0, Math.floor(x) - reach);
      column <= Math.min(frame.width - 1, Math.floor(x) + reach);
      column++
    ) {
      const dx = (column + 0.5 - x) / radius
      const dy = (row + 0.5 - y) / radius
      const far = dx * dx + dy * dy
      const share = alpha * (glows ? Math.max(0, 1 / (1 + far * 1.4) - 0.05) : Math.max(0, 1 - far * 0.45))
      if (share > 0) light(frame, (row * frame.width + column) * 3, colour, share, glows)
    }
  }
}

function streak(
  frame: Frame,
  x: number,
  y: number,
  radius: number,
  fall: Fall,
  alpha: number,
  height: number,
): void {
  const length = Math.round(radius * fall.streak * 1.4)
  const lean = fall.across / fall.down
  for (let i = 0; i < length; i++) {
    const row = Math.floor(y + i)
    const at = x + i * lean
    const column = Math.floor(at)
    if (row < 0 || row >= height || column < 0 || column + 1 >= frame.width) continue
    const share = alpha * Math.min(1, radius) * sin((i / length) * 3.14)
    const right = at - column
    light(frame, (row * frame.width + column) * 3, fall.colours[0]!, share * (1 - right), true)
    light(frame, (row * frame.width + column + 1) * 3, fall.colours[0]!, share * right, true)
  }
}

function light({ pixels }: Frame, at: number, colour: Rgb, share: number, glows: boolean): void {
  for (let channel = 0; channel < 3; channel++) {
    const under = pixels[at + channel]!
    pixels[at + channel] = under + (glows ? colour[channel]! : colour[channel]! - under) * share
  }
}
