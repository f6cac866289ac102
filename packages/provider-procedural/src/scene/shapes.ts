import type { Rgb } from './colour.ts'
import { clamp, cos, sin, tau } from './exact-math.ts'
import type { Sprite } from './sprite.ts'

export type Point = readonly [x: number, y: number]

const linesPerRow = 4

/** The covered part of each pixel in a row. Between two calls all values are zero. */
let coverage = new Float32Array(0)

/** Fills a polygon by the even-odd rule, with smooth edges. */
export function fillPolygon(sprite: Sprite, points: readonly Point[], colour: Rgb, alpha = 1): void {
  let top = Infinity
  let bottom = -Infinity
  for (const [, y] of points) {
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const firstRow = Math.max(0, Math.floor(top))
  const lastRow = Math.min(sprite.height - 1, Math.floor(bottom))
  if (coverage.length < sprite.width) coverage = new Float32Array(sprite.width)
  for (let row = firstRow; row <= lastRow; row++) {
    let low = sprite.width
    let high = -1
    for (let line = 0; line < linesPerRow; line++) {
      const crossings = crossingsAt(points, row + (line + 0.5) / linesPerRow)
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = clamp(crossings[i]!, 0, sprite.width)
        const to = clamp(crossings[i + 1]!, 0, sprite.width)
        const begin = Math.floor(from)
        const end = Math.min(Math.ceil(to), sprite.width)
        for (let x = begin; x < end; x++) {
          coverage[x]! += Math.min(to, x + 1) - Math.max(from, x)
        }
        low = Math.min(low, begin)
        high = Math.max(high, end - 1)
      }
    }
    for (let x = low; x <= high; x++) {
      if (coverage[x]! > 0) blendPixel(sprite, x, row, colour, (coverage[x]! / linesPerRow) * alpha)
      coverage[x] = 0
    }
  }
}

function crossingsAt(points: readonly Point[], y: number): number[] {
  const crossings: number[] = []
  let [previousX, previousY] = points[points.length - 1]!
  for (const [x, nextY] of points) {
    if (previousY <= y !== nextY <= y)
      crossings.push(previousX + ((y - previousY) / (nextY - previousY)) * (x - previousX))
    previousX = x
    previousY = nextY
  }
  return crossings.toSorted((a, b) => a - b)
}

export function fillDisc(sprite: Sprite, centre: Point, radius: number, colour: Rgb, alpha = 1): void {
  const [centreX, centreY] = centre
  const firstRow = Math.max(0, Math.floor(centreY - radius))
  const lastRow = Math.min(sprite.height - 1, Math.ceil(centreY + radius))
  const firstX = Math.max(0, Math.floor(centreX - radius))
  const lastX = Math.min(sprite.width - 1, Math.ceil(centreX + radius))
  for (let y = firstRow; y <= lastRow; y++) {
    for (let x = firstX; x <= lastX; x++) {
      const dx = x + 0.5 - centreX
      const dy = y + 0.5 - centreY
      const share = clamp(radius + 0.5 - Math.sqrt(dx * dx + dy * dy))
      if (share > 0) blendPixel(sprite, x, y, colour, share * alpha)
    }
  }
}

export function ellipse([x, y]: Point, across: number, down: number, turn = 0, corners = 28): Point[] {
  const c = cos(turn)
  const s = sin(turn)
  return Array.from({ length: corners }, (_, corner) => {
    const angle = (corner / corners) * tau
    const dx = cos(angle) * across
    const dy = sin(angle) * down
    return [x + dx * c - dy * s, y + dx * s + dy * c]
  })
}

export function blendPixel({ width, bytes }: Sprite, x: number, y: number, colour: Rgb, alpha: number): void {
  const at = (y * width + x) * 4
  const through = 1 - alpha
  bytes[at] = bytes[at]! * through + colour[0] * 255 * alpha
  bytes[at + 1] = bytes[at + 1]! * through + colour[1] * 255 * alpha
  bytes[at + 2] = bytes[at + 2]! * through + colour[2] * 255 * alpha
  bytes[at + 3] = bytes[at + 3]! * through + 255 * alpha
}
