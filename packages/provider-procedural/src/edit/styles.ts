import { blankFrame, type Frame } from '../render/frame.ts'
import type { Rgb } from '../scene/colour.ts'
import { gradient, luminance } from '../scene/colour.ts'
import { clamp, smoothstep } from '../scene/exact-math.ts'
import type { StyleName } from './style-words.ts'

/** Returns a changed copy of a picture, of the same size. `inks` are the prompt's colours, from dark to light. */
export type Style = (frame: Frame, inks: readonly Rgb[]) => Frame

/** What each style does. */
export const styles = {
  sketch: {
    apply: (frame) => {
      const grey = greyOf(frame)
      const soft = blurred(grey, frame, Math.max(2, Math.round(frame.height / 150)))
      return mapped(frame, (i) => {
        const line = clamp((grey[i]! + 0.02) / (soft[i]! + 0.02))
        const stroke = smoothstep(0.62, 1, line) * (0.72 + 0.28 * soft[i]!)
        return [stroke * 0.98, stroke * 0.965, stroke * 0.93]
      })
    },
  },
  pixels: {
    apply: (frame) => {
      const cell = Math.max(4, Math.round(frame.height / 64))
      return mapped(frame, (i) => {
        const x = Math.floor((i % frame.width) / cell) * cell + (cell >> 1)
        const y = Math.floor(i / frame.width / cell) * cell + (cell >> 1)
        const at = (Math.min(y, frame.height - 1) * frame.width + Math.min(x, frame.width - 1)) * 3
        const step = (value: number): number => Math.min(0.985, Math.round(value * 7) / 7)
        return [step(frame.pixels[at]!), step(frame.pixels[at + 1]!), step(frame.pixels[at + 2]!)]
      })
    },
  },
  poster: {
    apply: (frame, inks) => {
      const grey = blurred(greyOf(frame), frame, Math.max(1, Math.round(frame.height / 400)))
      return mapped(frame, (i) => {
        const level = clamp(grey[i]! * 5 + 0.02, 0, 4.999)
        const step = Math.floor(level)
        const edge = smoothstep(0.92, 1, level - step)
        return gradient(inks, (step + edge) / 5 + 0.1)
      })
    },
  },
  duotone: {
    apply: (frame, inks) => {
      const grey = greyOf(frame)
      return mapped(frame, (i) => gradient([inks[0]!, inks.at(-1)!], smoothstep(0.05, 0.95, grey[i]!)))
    },
  },
  monochrome: {
    apply: (frame) => {
      const grey = greyOf(frame)
      return mapped(frame, (i) => {
        const value = smoothstep(0.02, 0.96, grey[i]!)
        return [value, value, value]
      })
    },
  },
  dreamy: {
    apply: (frame) => {
      const radius = Math.round(frame.height / 45)
      const soft = [0, 1, 2].map((channel) => blurred(channelOf(frame, channel), frame, radius))
      return mapped(frame, (i) => {
        const screen = (channel: number): number =>
          1 - (1 - frame.pixels[i * 3 + channel]! * 0.62) * (1 - soft[channel]![i]! * 0.62)
        return [screen(0), screen(1), screen(2)]
      })
    },
  },
  painting: {
    apply: (frame) => painted(frame, Math.max(2, Math.round(frame.height / 180))),
  },
  negative: {
    apply: (frame) =>
      mapped(frame, (i) => [
        0.985 - frame.pixels[i * 3]!,
        0.985 - frame.pixels[i * 3 + 1]!,
        0.985 - frame.pixels[i * 3 + 2]!,
      ]),
  },
} as const satisfies Record<StyleName, { apply: Style }>

/**
 * Kuwahara's filter. It splits the surroundings of each pixel into four quarters, and gives the pixel the mean colour
 * of the quarter with the smallest variance. That looks like brush strokes with sharp edges.
 */
function painted(frame: Frame, radius: number): Frame {
  const { width, height } = frame
  const grey = greyOf(frame)
  const planes = [channelOf(frame, 0), channelOf(frame, 1), channelOf(frame, 2)]
  const sums = [...planes, grey, grey.map((value) => value * value)].map((plane) =>
    summed(plane, width, height),
  )
  const area = (radius + 1) * (radius + 1)
  const mean = (sum: Float64Array, x: number, y: number): number => {
    const w = width + 1
    const x1 = x + radius + 1
    const y1 = y + radius + 1
    return (sum[y1 * w + x1]! - sum[y * w + x1]! - sum[y1 * w + x]! + sum[y * w + x]!) / area
  }
  return mapped(frame, (i) => {
    const x = i % width
    const y = (i - x) / width
    let calmest = Infinity
    let bestX = 0
    let bestY = 0
    for (let quarter = 0; quarter < 4; quarter++) {
      const left = clamp(quarter & 1 ? x : x - radius, 0, width - radius - 1)
      const top = clamp(quarter & 2 ? y : y - radius, 0, height - radius - 1)
      const average = mean(sums[3]!, left, top)
      const unrest = mean(sums[4]!, left, top) - average * average
      if (unrest < calmest) {
        calmest = unrest
        bestX = left
        bestY = top
      }
    }
    return [mean(sums[0]!, bestX, bestY), mean(sums[1]!, bestX, bestY), mean(sums[2]!, bestX, bestY)]
  })
}

/** For each pixel, the sum of all values above and to the left of it. The first row and the first column are zero. */
function summed(plane: Float32Array, width: number, height: number): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += plane[y * width + x]!
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row
    }
  }
  return sums
}

function blurred(plane: Float32Array, { width, height }: Frame, radius: number): Float32Array {
  const sums = summed(plane, width, height)
  const result = new Float32Array(plane.length)
  const w = width + 1
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - radius)
    const bottom = Math.min(height, y + radius + 1)
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - radius)
      const right = Math.min(width, x + radius + 1)
      const total =
        sums[bottom * w + right]! - sums[top * w + right]! - sums[bottom * w + left]! + sums[top * w + left]!
      result[y * width + x] = total / ((bottom - top) * (right - left))
    }
  }
  return result
}

function greyOf({ pixels }: Frame): Float32Array {
  const grey = new Float32Array(pixels.length / 3)
  for (let i = 0; i < grey.length; i++) {
    grey[i] = luminance([pixels[i * 3]!, pixels[i * 3 + 1]!, pixels[i * 3 + 2]!])
  }
  return grey
}

function channelOf({ pixels }: Frame, channel: number): Float32Array {
  const plane = new Float32Array(pixels.length / 3)
  for (let i = 0; i < plane.length; i++) plane[i] = pixels[i * 3 + channel]!
  return plane
}

function mapped({ width, height }: Frame, colourAt: (index: number) => Rgb): Frame {
  const result = blankFrame(width, height)
  for (let i = 0; i < width * height; i++) result.pixels.set(colourAt(i), i * 3)
  return result
}
