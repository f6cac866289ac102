import { expect, test } from 'vitest'
import { enlargeTiles } from './enlarge-tiles.ts'
import { loadNetwork, type Network } from './network.ts'
import type { Colours } from './picture.ts'

/** Stripes, checks and a slope, so that each pixel differs from its neighbours in a known way. */
function patterned(width: number, height: number): Colours {
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels[i++] = (x * 7 + y * 3) % 256
      pixels[i++] = (x ^ y) & 4 ? 230 : 20
      pixels[i++] = (x * x + y * y) % 97 < 40 ? 255 : 0
    }
  }
  return { width, height, pixels }
}

/** A network that enlarges nothing, and records the sizes of its inputs. */
function watched(): { network: Network; sizes: [number, number][] } {
  const sizes: [number, number][] = []
  const network: Network = (pixels, width, height) => {
    sizes.push([width, height])
    const output = new Float32Array(width * height * 4 * 3)
    for (let y = 0; y < height * 2; y++) {
      for (let x = 0; x < width * 2; x++) {
        const from = ((y >> 1) * width + (x >> 1)) * 3
        output.set(pixels.subarray(from, from + 3), (y * width * 2 + x) * 3)
      }
    }
    return output
  }
  return { network, sizes }
}

test.each([2, 4] as const)(
  'x%i: a picture enlarged in tiles is the same as one enlarged in one piece',
  async (scale) => {
    const network = await loadNetwork(scale)
    const picture = patterned(61, 47)
    const whole = enlargeTiles(picture, scale, network, () => {}, 1000)
    const tiled = enlargeTiles(picture, scale, network, () => {}, 16)
    expect([whole.width, whole.height]).toEqual([61 * scale, 47 * scale])
    expect(Buffer.from(tiled.pixels).equals(Buffer.from(whole.pixels))).toBe(true)
  },
)

test.each([2, 4] as const)('x%i: flat colour stays flat up to the border', async (scale) => {
  const pixels = new Uint8Array(20 * 12 * 3).fill(200)
  const { pixels: enlarged } = enlargeTiles(
    { width: 20, height: 12, pixels },
    scale,
    await loadNetwork(scale),
  )
  expect(Math.min(...enlarged)).toBeGreaterThanOrEqual(199)
  expect(Math.max(...enlarged)).toBeLessThanOrEqual(202)
})

test('enlargeTiles puts each pixel in its place with tiles of any size', () => {
  const picture = patterned(23, 14)
  for (const tileSide of [1, 5, 7, 14, 100]) {
    const { pixels } = enlargeTiles(picture, 2, watched().network, () => {}, tileSide)
    for (let y = 0; y < 28; y++) {
      for (let x = 0; x < 46; x++) {
        const [at, from] = [(y * 46 + x) * 3, ((y >> 1) * 23 + (x >> 1)) * 3]
        expect([...pixels.subarray(at, at + 3)]).toEqual([...picture.pixels.subarray(from, from + 3)])
      }
    }
  }
})

test('enlargeTiles tells after each tile how much of the picture is done', () => {
  const parts: number[] = []
  enlargeTiles(patterned(20, 10), 2, watched().network, (part) => parts.push(part), 10)
  expect(parts).toEqual([0.5, 1])
})

test('enlargeTiles gives the network only small pieces of a large picture', () => {
  const { network, sizes } = watched()
  enlargeTiles({ width: 2000, height: 10, pixels: new Uint8Array(60_000) }, 2, network)
  expect(sizes).toHaveLength(8)
  for (const [width, height] of sizes) {
    expect(width).toBeLessThanOrEqual(276)
    expect(height).toBe(30)
  }
})
