import { expect, test } from 'vitest'
import { sizeOfRatio, type SizeGrid } from './size-of-ratio.ts'

test.each<[string, SizeGrid, number, number]>([
  ['1:1', { step: 16 }, 1024, 1024],
  ['16:9', { step: 16, side: 2048 }, 2720, 1536],
  ['9:16', { step: 16, side: 2048 }, 1536, 2720],
  ['21:9', { step: 16 }, 1552, 656],
  ['21:9', { step: 16, round: Math.round }, 1568, 672],
  ['21:9', { step: 32, most: 1440 }, 1440, 608],
  ['2.39:1', { step: 16 }, 1568, 656],
  ['9000:1', { step: 16 }, 97136, 16],
])('the ratio %s on the grid %j has a size in whole steps', (ratio, grid, width, height) => {
  expect(sizeOfRatio(ratio, grid)).toEqual({ width, height })
})

test.each(['auto', '', '16x9', '0:1', '1:0', '1:-1', '1.2.3:1', '16:9:4'])(
  '%j is refused as an aspect ratio',
  (text) => {
    expect(sizeOfRatio(text, { step: 16 })).toBeUndefined()
  },
)
