import type { Scale } from './enlarge-order.ts'
import { type Network, reach } from './network.ts'
import type { Colours } from './picture.ts'

/**
 * The longest side of an enlarged tile in pixels, without its margin. It limits the network's memory to about 250 MB.
 */
const outputTileSide = 512

/**
 * Enlarges a picture tile by tile. Each tile gets a margin as wide as the network's reach, so that no seams show
 * between tiles. Outside the picture the margin repeats the pixels of the border, because the network would draw a dark
 * frame next to an empty margin.
 * @param tell called after each tile with the part of the rows that is done, from 0 to 1
 */
export function enlargeTiles(
  { width, height, pixels }: Colours,
  scale: Scale,
  network: Network,
  tell: (part: number) => void = () => {},
  tileSide = outputTileSide / scale,
): Colours {
  const enlarged = {
    width: width * scale,
    height: height * scale,
    // Clamped, because some values of the network are below 0 or above 255.
    pixels: new Uint8ClampedArray(width * height * scale ** 2 * 3),
  }
  for (const [top, bottom] of spans(height, tileSide)) {
    for (const [left, right] of spans(width, tileSide)) {
      const seen = { width: right - left + 2 * reach, height: bottom - top + 2 * reach }
      const input = new Float32Array(seen.width * seen.height * 3)
      for (let y = 0, i = 0; y < seen.height; y++) {
        const row = within(top - reach + y, height) * width
        for (let x = 0; x < seen.width; x++) {
          const from = (row + within(left - reach + x, width)) * 3
          input[i++] = pixels[from]!
          input[i++] = pixels[from + 1]!
          input[i++] = pixels[from + 2]!
        }
      }
      const output = network(input, seen.width, seen.height)
      for (let y = 0; y < (bottom - top) * scale; y++) {
        const from = ((reach * scale + y) * seen.width + reach) * scale * 3
        const row = output.subarray(from, from + (right - left) * scale * 3)
        enlarged.pixels.set(row, ((top * scale + y) * width + left) * scale * 3)
      }
      tell((top + ((bottom - top) * right) / width) / height)
    }
  }
  return enlarged
}

/** Cuts a length into as few equal parts as possible, none longer than `limit`. */
function spans(length: number, limit: number): [start: number, end: number][] {
  const count = Math.ceil(length / limit)
  const cut = (part: number): number => Math.round((length * part) / count)
  return Array.from({ length: count }, (_, part) => [cut(part), cut(part + 1)])
}

function within(position: number, length: number): number {
  return Math.min(Math.max(position, 0), length - 1)
}
