import type { Rgb } from '../colour.ts'
import { fillPolygon, type Point } from '../shapes.ts'
import type { Sprite } from '../sprite.ts'

/** Paints a building. Distances are parts of its width, from the middle of its foot to the right and upwards. */
export interface Building {
  fill(colour: Rgb, corners: readonly Point[]): void
  box(colour: Rgb, left: number, right: number, low: number, high: number): void
}

/** @param foot the middle of its foot in the sprite. @param size its width in pixels */
export function buildingAt(sprite: Sprite, [x, y]: Point, size: number): Building {
  const fill: Building['fill'] = (colour, corners) =>
    fillPolygon(
      sprite,
      corners.map(([across, up]): Point => [x + across * size, y - up * size]),
      colour,
    )
  return {
    fill,
    box: (colour, left, right, low, high) =>
      fill(colour, [
        [left, low],
        [right, low],
        [right, high],
        [left, high],
      ]),
  }
}
