import type { Scene } from '../render/frame.ts'
import { blend, gradient, type Rgb } from './colour.ts'
import { clamp, sin } from './exact-math.ts'
import { between, type Streams } from './random.ts'
import type { View } from './view.ts'

const count = 9

/** Sheets of coloured paper with wavy edges, one in front of the other. Each throws a shadow. */
export function ribbons(view: View, stops: readonly Rgb[], stream: Streams): Scene {
  const { width, height } = view
  const random = stream('ribbons')
  const lean = between(random, -0.5, 0.5)
  const sheets = Array.from({ length: count }, (_, index) => {
    const share = (index + 0.5) / count
    const light = gradient(stops, 1 - share * 0.92)
    const dark = gradient(stops, clamp(0.78 - share * 0.86))
    return {
      level: share * 1.25 - 0.2,
      waves: [0, 1, 2].map((wave) => ({
        size: between(random, 0.03, 0.13) / (1 + wave * 0.9),
        length: between(random, 1.6, 3.4) * (1 + wave * 0.8),
        phase: random() * 6.28,
        pace: between(random, 0.15, 0.4) * (random() < 0.5 ? -1 : 1),
      })),
      // The colours by pixels below the edge: a bright line along the edge, as on cut paper, then a slow fade.
      colours: ramp(
        height * 3,
        (below) => {
          const lip = 0.16 / (1 + below * 160)
          const [red, green, blue] = blend(light, dark, clamp(below * 2.6))
          return [red + lip, green + lip, blue + lip]
        },
        height,
      ),
    }
  })
  const back = ramp(height + 1, (y) => blend(gradient(stops, 1), gradient(stops, 0.7), y), height)
  const edges = new Float32Array(count)

  return {
    paint({ pixels }, seconds) {
      for (let x = 0; x < width; x++) {
        const u = x / height
        for (const [index, { level, waves }] of sheets.entries()) {
          let edge = level + lean * (u - width / height / 2) * 0.5
          for (const { size, length, phase, pace } of waves)
            edge += size * sin(u * length + phase + seconds * pace)
          edges[index] = edge * height
        }
        for (let y = 0; y < height; y++) {
          let front = count - 1
          let shade = 1
          // Sheets in front whose edge is a little lower throw a shadow on this pixel.
          while (front >= 0 && edges[front]! > y) {
            const near = 1 - ((edges[front]! - y) / height) * 22
            if (near > 0) shade = Math.min(shade, 1 - 0.34 * near * near)
            front--
          }
          const at = (y * width + x) * 3
          const behind = colourBelow(
            front < 1 ? undefined : sheets[front - 1],
            front < 1 ? 0 : edges[front - 1]!,
            back,
            y,
          )
          const own = colourBelow(sheets[front], front < 0 ? 0 : edges[front]!, back, y)
          // Where the edge crosses the pixel, the sheet behind is partly visible, in its deepest shadow.
          const cover = front < 0 ? 1 : Math.min(1, y + 1 - edges[front]!)
          for (let channel = 0; channel < 3; channel++) {
            const through = cover < 1 ? behind.table[behind.at + channel]! * 0.66 : 0
            pixels[at + channel] = (own.table[own.at + channel]! * cover + through * (1 - cover)) * shade
          }
        }
      }
    },
  }
}

function colourBelow(
  sheet: { readonly colours: Float32Array } | undefined,
  edge: number,
  back: Float32Array,
  y: number,
): { table: Float32Array; at: number } {
  const table = sheet?.colours ?? back
  return { table, at: clamp(Math.floor(y - edge), 0, table.length / 3 - 1) * 3 }
}

function ramp(length: number, colourAt: (share: number) => Rgb, height: number): Float32Array {
  const table = new Float32Array(length * 3)
  for (let i = 0; i < length; i++) table.set(colourAt(i / height), i * 3)
  return table
}
