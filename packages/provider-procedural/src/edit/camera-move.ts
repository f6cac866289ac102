import type { Frame, Scene } from '../render/frame.ts'
import { clamp } from '../scene/exact-math.ts'
import { weathersOf } from '../scene/landscape.ts'
import { between, pick, streamsOf } from '../scene/random.ts'
import { weatherLists, wordsAmong } from '../scene/drawn-words.ts'
import { wordsOf } from '../scene/prompt-words.ts'
import { readTheme } from '../scene/theme.ts'
import { weather } from '../scene/weather.ts'

/** The picture must be this many times larger than the film, so that the closest view is still sharp. */
export const closest = 1.3

/**
 * What the camera sees: the place of the view in the picture, from 0 to 1, and its zoom. Zoom 1 shows the whole
 * picture.
 */
interface Shot {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

const moves: Record<string, { readonly words: string; readonly from: Shot; readonly to: Shot }> = {
  in: {
    words: 'in closer approach toward towards forward',
    from: { x: 0.5, y: 0.5, zoom: 1 },
    to: { x: 0.5, y: 0.5, zoom: closest },
  },
  out: {
    words: 'out away back backward reveal wide',
    from: { x: 0.5, y: 0.5, zoom: closest },
    to: { x: 0.5, y: 0.5, zoom: 1 },
  },
  left: { words: 'left leftward', from: { x: 1, y: 0.5, zoom: 1.2 }, to: { x: 0, y: 0.5, zoom: 1.2 } },
  right: { words: 'right rightward', from: { x: 0, y: 0.5, zoom: 1.2 }, to: { x: 1, y: 0.5, zoom: 1.2 } },
  up: {
    words: 'up upward rise rising tilt',
    from: { x: 0.5, y: 1, zoom: 1.2 },
    to: { x: 0.5, y: 0, zoom: 1.2 },
  },
  down: {
    words: 'down downward descend falling',
    from: { x: 0.5, y: 0, zoom: 1.2 },
    to: { x: 0.5, y: 1, zoom: 1.2 },
  },
}

/** The move that a prompt names. */
function namedMove(prompt: string) {
  const words = wordsOf(prompt)
  return Object.values(moves).find((move) => move.words.split(' ').some((word) => words.has(word)))
}

/** The words of the prompt that a film of a picture shows, in their order. */
export function filmedWords(prompt: string, variation: string): readonly string[] {
  const theme = readTheme(prompt, streamsOf(prompt, variation)('theme'))
  return wordsAmong(prompt, [namedMove(prompt)?.words ?? '', ...weatherLists(theme)])
}

/**
 * A film of a picture. The camera zooms in, zooms out or pans as the prompt asks, and shows the weather in the prompt.
 */
export function cameraMove(
  picture: Frame,
  prompt: string,
  variation: string,
  view: { width: number; height: number; seconds: number },
): Scene {
  const stream = streamsOf(prompt, variation)
  const random = stream('camera')
  const named = namedMove(prompt)
  const drift: Shot = { x: between(random, 0, 1), y: between(random, 0.2, 0.8), zoom: closest }
  const { from, to } = named ?? {
    from: { x: 0.5, y: 0.5, zoom: 1.02 },
    to: pick(random, [drift, { ...drift, x: 1 - drift.x }]),
  }
  const passing = weathersOf(readTheme(prompt, stream('theme'))).map((kind) =>
    weather(view, stream(kind), kind),
  )
  return {
    paint(frame, seconds) {
      const share = clamp(seconds / view.seconds)
      // Starts and ends slowly, as a hand moves a camera.
      const eased = share * share * (3 - 2 * share)
      const along = (a: number, b: number): number => a + (b - a) * eased
      look(frame, picture, {
        x: along(from.x, to.x),
        y: along(from.y, to.y),
        zoom: along(from.zoom, to.zoom),
      })
      for (const grains of passing) grains.paint(frame, seconds)
    },
  }
}

function look({ width, height, pixels }: Frame, picture: Frame, { x, y, zoom }: Shot): void {
  const step = picture.width / width / zoom
  const left = (picture.width - width * step) * x
  const top = (picture.height - height * step) * y
  let to = 0
  for (let row = 0; row < height; row++) {
    const sourceY = clamp(top + (row + 0.5) * step - 0.5, 0, picture.height - 1.001)
    const lineY = Math.floor(sourceY)
    const down = sourceY - lineY
    for (let column = 0; column < width; column++, to += 3) {
      const sourceX = clamp(left + (column + 0.5) * step - 0.5, 0, picture.width - 1.001)
      const lineX = Math.floor(sourceX)
      const across = sourceX - lineX
      const at = (lineY * picture.width + lineX) * 3
      const below = at + picture.width * 3
      for (let channel = 0; channel < 3; channel++) {
        const upper =
          picture.pixels[at + channel]! * (1 - across) + picture.pixels[at + channel + 3]! * across
        const lower =
          picture.pixels[below + channel]! * (1 - across) + picture.pixels[below + channel + 3]! * across
        pixels[to + channel] = upper + (lower - upper) * down
      }
    }
  }
}
