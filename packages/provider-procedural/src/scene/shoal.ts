import type { Scene } from '../render/frame.ts'
import { blend, rgb, type Rgb, scaled } from './colour.ts'
import { sin } from './exact-math.ts'
import { between, pick, type Streams } from './random.ts'
import { ellipse, fillDisc, fillPolygon } from './shapes.ts'
import { blankSprite, laySprite } from './sprite.ts'
import type { View } from './view.ts'

const scales = ['#ff6f61', '#f7b32b', '#e84a8a', '#9b5de5', '#ff9f6b'] as const

/** A shoal of fish that swims through the picture. Distant fish fade into `stops`, the colours of the water. */
export function shoal(view: View, stream: Streams, stops: readonly Rgb[]): Scene {
  const { width, height } = view
  const random = stream('shoal')
  const heading = random() < 0.5 ? 1 : -1
  const centre = { x: width * between(random, 0.35, 0.65), y: height * between(random, 0.35, 0.55) }
  const fish = Array.from({ length: 34 }, () => {
    const near = random()
    return {
      x: centre.x + (random() + random() - 1) * width * 0.34,
      y: centre.y + (random() + random() - 1) * height * 0.24,
      size: height * (0.012 + 0.03 * near * near),
      colour: blend(blend(rgb(pick(random, scales)), stops[2]!, 0.75 - near * 0.55), stops[0]!, 0.12),
      phase: random() * 6,
      pace: 0.02 + 0.03 * near,
    }
  })
  return {
    paint(frame, seconds) {
      for (const { x, y, size, colour, phase, pace } of fish) {
        const box = Math.ceil(size * 4)
        const sprite = blankSprite(box + 2, box)
        const middle = box / 2
        const wag = sin(phase + seconds * 7) * size * 0.22
        fillPolygon(
          sprite,
          [
            [middle - heading * size * 0.75, middle],
            [middle - heading * size * 1.5, middle - size * 0.5 + wag],
            [middle - heading * size * 1.3, middle + wag],
            [middle - heading * size * 1.5, middle + size * 0.5 + wag],
          ],
          scaled(colour, 0.8),
        )
        fillPolygon(sprite, ellipse([middle, middle], size, size * 0.42), colour)
        fillPolygon(
          sprite,
          ellipse([middle, middle + size * 0.12], size * 0.85, size * 0.24),
          blend(colour, [1, 1, 1], 0.35),
          0.6,
        )
        fillDisc(
          sprite,
          [middle + heading * size * 0.62, middle - size * 0.08],
          size * 0.09,
          [0.02, 0.03, 0.08],
        )
        const left = x - middle + heading * seconds * height * pace
        laySprite(frame, sprite, -left, Math.round(y - middle + sin(phase + seconds) * size * 0.4))
      }
    },
  }
}
