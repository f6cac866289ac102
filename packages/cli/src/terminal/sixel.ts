/** How many shades each of red, green and blue has. */
const shades = 6
/** The thresholds of an ordered dither, which hides that there are only few shades. */
const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

/**
 * Encodes a picture as sixels with a palette of 216 colours. Sixels are bands of six rows, and each band is drawn
 * colour by colour. https://vt100.net/docs/vt3xx-gp/chapter14.html
 * @param pixels red, green and blue of each pixel, row by row
 */
export function sixel(pixels: Uint8Array, width: number, height: number): string {
  const palette = Array.from({ length: shades ** 3 }, (_, colour) => {
    const percent = (part: number) => Math.round((part * 100) / (shades - 1))
    const parts = [Math.floor(colour / shades ** 2), Math.floor(colour / shades) % shades, colour % shades]
    return `#${colour};2;${parts.map(percent).join(';')}`
  })
  const bands: string[] = []
  for (let top = 0; top < height; top += 6) bands.push(band(pixels, width, height, top))
  return `\x1bP0;1q"1;1;${width};${height}${palette.join('')}${bands.join('-')}\x1b\\`
}

function band(pixels: Uint8Array, width: number, height: number, top: number): string {
  const columns = new Map<number, Uint8Array>()
  for (let row = 0; row < Math.min(6, height - top); row++)
    for (let x = 0; x < width; x++) {
      const colour = colourAt(pixels, ((top + row) * width + x) * 3, x, top + row)
      const bits = columns.get(colour) ?? new Uint8Array(width)
      bits[x]! |= 1 << row
      columns.set(colour, bits)
    }
  return [...columns].map(([colour, bits]) => `#${colour}${runs(bits)}`).join('$')
}

function colourAt(pixels: Uint8Array, at: number, x: number, y: number): number {
  const threshold = ((bayer[(y % 4) * 4 + (x % 4)] ?? 0) + 0.5) / 16
  const shade = (value = 0) => Math.min(shades - 1, Math.floor((value / 255) * (shades - 1) + threshold))
  return (shade(pixels[at]) * shades + shade(pixels[at + 1])) * shades + shade(pixels[at + 2])
}

/** Writes a run of equal sixels once, with its length. */
function runs(bits: Uint8Array): string {
  let text = ''
  for (let start = 0, end = 0; start < bits.length; start = end) {
    while (end < bits.length && bits[end] === bits[start]) end++
    const letter = String.fromCharCode(63 + (bits[start] ?? 0))
    text += end - start > 3 ? `!${end - start}${letter}` : letter.repeat(end - start)
  }
  return text
}
