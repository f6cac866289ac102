import { expect, test } from 'vitest'
import { blankFrame } from '../render/frame.ts'
import { composeScene } from './compose-scene.ts'

const size = 96

function painted(prompt: string, variation: string, seconds = 0): Float32Array {
  const frame = blankFrame(size, size)
  const scene = composeScene({ prompt, variation, view: { width: size, height: size, seconds: 3 } })
  scene.paint(frame, seconds)
  return frame.pixels
}

/** The mean of a channel, from 0 to 1, in the rows between two heights. */
function meanOf(pixels: Float32Array, channel: number, from: number, to: number): number {
  let sum = 0
  const [first, last] = [Math.floor(from * size) * size, Math.floor(to * size) * size]
  for (let at = first; at < last; at++) sum += pixels[at * 3 + channel]!
  return sum / (last - first)
}

test.each([
  'A lighthouse on a cliff at dawn',
  'Northern lights above snowy mountains',
  'snowy mountains by day',
  'a sunny beach',
  'desert at noon',
  'white abstract silk',
  'a bright galaxy',
])('a procedural picture of %j clips less than 2 % of its pixels', (prompt) => {
  for (const variation of ['1', '2', '3']) {
    const pixels = painted(prompt, variation)
    const clipped = pixels.filter((value) => value * 255 >= 254.5).length
    expect(clipped / pixels.length).toBeLessThan(0.02)
  }
})

test('northern lights are green in a dark sky', () => {
  const pixels = painted('Northern lights above snowy mountains', '1')
  expect(meanOf(pixels, 1, 0, 0.4)).toBeGreaterThan(meanOf(pixels, 0, 0, 0.4) * 1.3)
  expect(meanOf(pixels, 0, 0, 0.4)).toBeLessThan(0.35)
})

test('lightning strikes and is gone a moment later', () => {
  const brightness = (seconds: number) => meanOf(painted('lightning over the sea', '1', seconds), 0, 0, 0.5)
  expect(brightness(0)).toBeGreaterThan(brightness(1) + 0.01)
})

test('the ground is white in a picture of snow, and not in one without it', () => {
  const ground = (prompt: string) => meanOf(painted(prompt, '1'), 0, 0.7, 1)
  expect(ground('snowy mountains')).toBeGreaterThan(ground('mountains by day') + 0.2)
})
