import type { Frame } from '../render/frame.ts'

/** A painted layer: RGBA bytes, premultiplied by alpha, so that it can be placed at fractions of a pixel. */
export interface Sprite {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8ClampedArray
}

export function blankSprite(width: number, height: number): Sprite {
  return { width, height, bytes: new Uint8ClampedArray(width * height * 4) }
}

/**
 * Blends the sprite into the frame. Column `shift` of the sprite comes to the left edge of the frame, and its first row
 * to `top`. If `shift` has a fraction, neighbouring columns are blended, so the sprite needs one column more than the
 * frame shows.
 */
export function laySprite(frame: Frame, sprite: Sprite, shift: number, top: number): void {
  const { width, pixels } = frame
  const { bytes } = sprite
  const whole = Math.floor(shift)
  const right = (shift - whole) / 255
  const left = 1 / 255 - right
  const firstColumn = Math.max(0, -whole)
  const columns = Math.min(width, sprite.width - whole - 1)
  const firstRow = Math.max(0, -top)
  const rows = Math.min(sprite.height, frame.height - top)
  for (let row = firstRow; row < rows; row++) {
    let from = (row * sprite.width + whole + firstColumn) * 4
    let to = ((row + top) * width + firstColumn) * 3
    for (let column = firstColumn; column < columns; column++, from += 4, to += 3) {
      const alphaLeft = bytes[from + 3]!
      const alphaRight = bytes[from + 7]!
      if (alphaLeft + alphaRight === 0) continue
      const through = 1 - (alphaLeft * left + alphaRight * right)
      pixels[to] = pixels[to]! * through + bytes[from]! * left + bytes[from + 4]! * right
      pixels[to + 1] = pixels[to + 1]! * through + bytes[from + 1]! * left + bytes[from + 5]! * right
      pixels[to + 2] = pixels[to + 2]! * through + bytes[from + 2]! * left + bytes[from + 6]! * right
    }
  }
}
