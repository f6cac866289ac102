import type { Random } from './random.ts'

/** Gradient noise from about -1 to 1, smooth in all three directions. The third direction is mostly time. */
export interface Noise {
  at(x: number, y: number, z: number): number
  /**
   * The sum of several octaves of noise, each twice as fine and half as strong as the one before. From about -1 to 1.
   */
  fractal(x: number, y: number, z: number, octaves: number): number
  /** Like `fractal`, but with sharp crests. From 0 to about 1. */
  ridged(x: number, y: number, z: number, octaves: number): number
}

/** Perlin's improved noise (SIGGRAPH 2002), with a table that `random` shuffles. */
export function noiseFrom(random: Random): Noise {
  const table = new Uint8Array(512)
  for (let i = 0; i < 256; i++) table[i] = i
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = table[i]!
    table[i] = table[j]!
    table[j] = held
  }
  table.copyWithin(256, 0, 256)

  function at(x: number, y: number, z: number): number {
    const floorX = Math.floor(x)
    const floorY = Math.floor(y)
    const floorZ = Math.floor(z)
    const cellX = floorX & 255
    const cellY = floorY & 255
    const cellZ = floorZ & 255
    const fx = x - floorX
    const fy = y - floorY
    const fz = z - floorZ
    const u = fx * fx * fx * (fx * (fx * 6 - 15) + 10)
    const v = fy * fy * fy * (fy * (fy * 6 - 15) + 10)
    const w = fz * fz * fz * (fz * (fz * 6 - 15) + 10)
    const a = table[cellX]! + cellY
    const b = table[cellX + 1]! + cellY
    const aa = table[a & 255]! + cellZ
    const ab = table[(a + 1) & 255]! + cellZ
    const ba = table[b & 255]! + cellZ
    const bb = table[(b + 1) & 255]! + cellZ
    const near = lerp(
      lerp(slope(table[aa]!, fx, fy, fz), slope(table[ba]!, fx - 1, fy, fz), u),
      lerp(slope(table[ab]!, fx, fy - 1, fz), slope(table[bb]!, fx - 1, fy - 1, fz), u),
      v,
    )
    const far = lerp(
      lerp(slope(table[aa + 1]!, fx, fy, fz - 1), slope(table[ba + 1]!, fx - 1, fy, fz - 1), u),
      lerp(slope(table[ab + 1]!, fx, fy - 1, fz - 1), slope(table[bb + 1]!, fx - 1, fy - 1, fz - 1), u),
      v,
    )
    return lerp(near, far, w)
  }

  return {
    at,
    fractal(x, y, z, octaves) {
      let sum = 0
      let strength = 0.55
      let scale = 1
      for (let octave = 0; octave < octaves; octave++) {
        sum += strength * at(x * scale + octave * 17.3, y * scale - octave * 9.1, z)
        strength *= 0.5
        scale *= 2.03
      }
      return sum * 1.7
    },
    ridged(x, y, z, octaves) {
      let sum = 0
      let strength = 0.5
      let scale = 1
      for (let octave = 0; octave < octaves; octave++) {
        const crest = 1 - Math.abs(at(x * scale + octave * 5.7, y * scale + octave * 3.3, z)) * 1.6
        sum += strength * (crest < 0 ? 0 : crest * crest)
        strength *= 0.5
        scale *= 2.07
      }
      return sum
    },
  }
}

function lerp(from: number, to: number, share: number): number {
  return from + share * (to - from)
}

/** The dot product with one of twelve gradients that point to the edges of a cube. */
function slope(hash: number, x: number, y: number, z: number): number {
  const h = hash & 15
  const u = h < 8 ? x : y
  const v = h < 4 ? y : h === 12 || h === 14 ? x : z
  return ((h & 1) === 0 ? u : -u) + ((h & 2) === 0 ? v : -v)
}
