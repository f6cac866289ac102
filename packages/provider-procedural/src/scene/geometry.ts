import { blankFrame, type Scene } from '../render/frame.ts'
import { blend, gradient, type Rgb, scaled } from './colour.ts'
import { cos, sin, tau } from './exact-math.ts'
import { noiseFrom } from './noise.ts'
import { between, pick, type Streams } from './random.ts'
import { ellipse, fillPolygon, type Point } from './shapes.ts'
import { blankSprite, laySprite } from './sprite.ts'
import type { View } from './view.ts'

/** Discs, arcs, bars and triangles on paper, which turn and drift slowly. */
export function geometry(view: View, stops: readonly Rgb[], stream: Streams): Scene {
  const { width, height } = view
  const random = stream('geometry')
  const paper = paperOf(view, blend(stops.at(-1) ?? [1, 1, 1], [0.96, 0.94, 0.9], 0.5), stream)
  const unit = Math.min(width, height)
  const focus = { x: width * between(random, 0.38, 0.62), y: height * between(random, 0.4, 0.6) }
  const shapes = Array.from({ length: 15 }, (_, index) => {
    const size = unit * (index === 0 ? 0.3 : between(random, 0.05, 0.2))
    const angle = random() * tau
    const reach = index === 0 ? 0 : Math.sqrt(random()) * 0.62
    return {
      kind:
        index === 0
          ? 'disc'
          : pick(random, ['disc', 'ring', 'half', 'bar', 'bar', 'triangle', 'grid', 'stairs']),
      x: focus.x + cos(angle) * reach * width * 0.6,
      y: focus.y + sin(angle) * reach * height * 0.6,
      size,
      angle: pick(random, [0, 0.125, 0.25, 0.375, 0.5]) * tau + between(random, -0.1, 0.1),
      colour: gradient(stops, pick(random, [0.02, 0.3, 0.5, 0.55, 0.75])),
      alpha: index === 0 ? 1 : pick(random, [1, 0.92, 0.8]),
      turn: between(random, -0.12, 0.12),
      phase: random() * 6,
    } as const
  })
  const box = Math.ceil(unit * 0.66) + 2
  return {
    paint(frame, seconds) {
      frame.pixels.set(paper)
      for (const shape of shapes) {
        const sprite = blankSprite(box, box)
        const spin = shape.angle + shape.turn * seconds
        for (const part of partsOf(shape.kind, shape.size, spin)) {
          const middle = part.map(([x, y]): Point => [x + box / 2, y + box / 2])
          const shadow = middle.map(([x, y]): Point => [x + unit * 0.006, y + unit * 0.009])
          fillPolygon(sprite, shadow, scaled(stops[0] ?? [0, 0, 0], 0.5), 0.16)
          fillPolygon(sprite, middle, shape.colour, shape.alpha)
        }
        const sway = sin(shape.phase + seconds * 0.5) * unit * 0.01
        laySprite(frame, sprite, box / 2 - shape.x - sway, Math.round(shape.y - box / 2))
      }
    },
  }
}

function partsOf(kind: string, size: number, angle: number): Point[][] {
  const turned = (points: Point[]): Point[] => {
    const c = cos(angle)
    const s = sin(angle)
    return points.map(([x, y]): Point => [x * c - y * s, x * s + y * c])
  }
  const box = (x: number, y: number, across: number, down: number): Point[] => [
    [x, y],
    [x + across, y],
    [x + across, y + down],
    [x, y + down],
  ]
  switch (kind) {
    case 'disc':
      return [ellipse([0, 0], size, size, 0, 96)]
    case 'ring': {
      const outer = ellipse([0, 0], size, size, 0, 96)
      const inner = ellipse([0, 0], size * 0.72, size * 0.72, 0, 96)
      return [[...outer, outer[0]!, inner[0]!, ...inner.toReversed()]]
    }
    case 'half':
      return [turned(ellipse([0, 0], size, size, 0, 96).filter(([, y]) => y >= -0.01))]
    case 'bar':
      return [turned(box(-size * 1.5, -size * 0.07, size * 3, size * 0.14))]
    case 'triangle':
      return [
        turned([
          [0, -size],
          [size * 0.87, size * 0.5],
          [-size * 0.87, size * 0.5],
        ]),
      ]
    case 'grid':
      return Array.from({ length: 16 }, (_, i) =>
        turned(
          ellipse(
            [((i % 4) - 1.5) * size * 0.4, (Math.floor(i / 4) - 1.5) * size * 0.4],
            size * 0.08,
            size * 0.08,
          ),
        ),
      )
    default:
      return Array.from({ length: 5 }, (_, i) =>
        turned(box(-size * 0.7, (i - 2.5) * size * 0.28, size * (0.4 + i * 0.28), size * 0.12)),
      )
  }
}

function paperOf({ width, height }: View, colour: Rgb, stream: Streams): Float32Array {
  const { pixels } = blankFrame(width, height)
  const fibre = noiseFrom(stream('paper'))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grain = 1 + 0.016 * fibre.fractal((x / height) * 60, (y / height) * 60, 0, 2)
      pixels.set(scaled(colour, grain), (y * width + x) * 3)
    }
  }
  return pixels
}
