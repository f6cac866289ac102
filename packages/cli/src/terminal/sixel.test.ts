import { expect, test } from 'vitest'
import { sixel } from './sixel.ts'

/** Decodes sixels as a terminal does. */
function drawn(text: string): { readonly width: number; readonly pixels: readonly number[][] } {
  const [, width = '', height = '', body = ''] =
    /^␛P0;1q"1;1;(\d+);(\d+)(.*)␛\\$/s.exec(text.replaceAll('\x1b', '␛')) ?? []
  const palette = new Map<string, number[]>()
  const pixels: number[][] = Array.from({ length: Number(width) * Number(height) }, () => [])
  let [x, top, colour] = [0, 0, '']
  for (const [token, number, definition, repeat, letter] of body.matchAll(
    /#(\d+)((?:;\d+){4})?|!(\d+)(?=[?-~])|([?-~])|\$|-/g,
  )) {
    if (number !== undefined) {
      if (definition) palette.set(number, definition.split(';').slice(2).map(Number))
      colour = number
    } else if (repeat !== undefined) count = Number(repeat)
    else if (letter !== undefined) {
      for (; count > 0; count--, x++)
        for (let row = 0; row < 6; row++)
          if ((letter.charCodeAt(0) - 63) & (1 << row))
            pixels[(top + row) * Number(width) + x] = palette.get(colour) ?? []
      count = 1
    } else if (token === '$') x = 0
    else if (token === '-') [x, top] = [0, top + 6]
  }
  return { width: Number(width), pixels }
}
let count = 1

test('a terminal that draws the sixels gets every pixel, in the nearest colours', () => {
  const colours = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
  ]
  const [width, height] = [21, 13]
  const source = Array.from({ length: width * height }, (_, at) => colours[(at * 7 + (at >> 3)) % 4] ?? [])
  const { pixels } = drawn(sixel(Uint8Array.from(source.flat()), width, height))
  expect(pixels).toEqual(source.map((colour) => colour.map((part) => (part * 100) / 255)))
})
