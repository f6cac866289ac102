import { expect, test } from 'vitest'
import { frameSize, ratioOf } from './frame-size.ts'

test.each([
  ['1:1', 480, 480, 480],
  ['16:9', 480, 854, 480],
  ['9:16', 720, 720, 1280],
  ['4:3', 480, 640, 480],
  ['3:4', 480, 480, 640],
  ['16:9', 1080, 1920, 1080],
  ['1:1', 1024, 1024, 1024],
] as const)(
  'a frame of aspect ratio %s with a short side of %i pixels has %i x %i pixels',
  (aspectRatio, shortSide, width, height) => {
    expect(frameSize(shortSide, ratioOf(aspectRatio))).toEqual({ width, height })
  },
)
