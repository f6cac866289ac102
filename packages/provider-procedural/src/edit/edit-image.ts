import type { Frame } from '../render/frame.ts'
import { abstractPalette } from '../scene/abstract-palette.ts'
import { blend, gradient, luminance, type Rgb } from '../scene/colour.ts'
import { clamp } from '../scene/exact-math.ts'
import { grade } from '../scene/grade.ts'
import { weathersOf } from '../scene/landscape.ts'
import { paletteOf } from '../scene/palette.ts'
import { between, streamsOf } from '../scene/random.ts'
import { lights, readTheme } from '../scene/theme.ts'
import { weather } from '../scene/weather.ts'
import { colourLists, weatherLists, wordsAmong } from '../scene/drawn-words.ts'
import { namedStyles, styleWords } from './style-words.ts'
import { styles } from './styles.ts'

export interface EditBrief {
  readonly prompt: string
  /** Different texts make different pictures for the same prompt. */
  readonly variation: string
}

/**
 * Changes a picture to the style, the light, the colours and the weather that the prompt names. The result always
 * differs visibly from the original.
 */
export function editImage(original: Frame, { prompt, variation }: EditBrief): Frame {
  const stream = streamsOf(prompt, variation)
  const theme = readTheme(prompt, stream('theme'))
  const palette = paletteOf(theme, stream('palette'))
  const inks = [palette.near, palette.cloudShade, palette.haze, palette.glow, palette.cloudLit].toSorted(
    (a, b) => luminance(a) - luminance(b),
  )
  const named = namedStyles(prompt)
  const copy: Frame = { ...original, pixels: original.pixels.slice() }
  const styled = named.reduce<Frame>(
    (frame, name) => styles[name].apply(frame, abstractPalette(theme, stream('inks'))),
    copy,
  )
  // With a style, the colours of the prompt count only a quarter, so that they do not cover the style.
  graded(styled, inks, between(stream('grade'), 0.5, 0.7) * (named.length > 0 ? 0.25 : 1))

  const view = { width: original.width, height: original.height, seconds: 0 }
  for (const kind of weathersOf(theme)) weather(view, stream(kind), kind).paint(styled, 0)
  const light = {
    x: view.width * between(stream('light'), 0.15, 0.85),
    y: view.height * 0.1,
    colour: palette.glow,
  }
  grade(view, { ...light, strength: named.length > 0 ? 0.04 : 0.14 }).paint(styled, 0)
  return styled
}

/** The words of the prompt that change the picture, in their order. */
export function editedWords({ prompt, variation }: EditBrief): readonly string[] {
  const theme = readTheme(prompt, streamsOf(prompt, variation)('theme'))
  return wordsAmong(prompt, [
    ...namedStyles(prompt).map((name) => styleWords[name]),
    lights[theme.light],
    ...weatherLists(theme),
    ...colourLists(theme, 1),
  ])
}

/**
 * Blends each pixel with the ink of its lightness. `share` is the part of the ink, from 0 to 1. It changes the frame in
 * place.
 */
function graded({ pixels }: Frame, inks: readonly Rgb[], share: number): void {
  for (let i = 0; i < pixels.length; i += 3) {
    const own: Rgb = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!]
    pixels.set(blend(own, gradient(inks, clamp(luminance(own) * 1.08)), share), i)
  }
}
