import type { Frame } from '../render/frame.ts'
import { abstractPalette } from '../scene/abstract-palette.ts'
import { scaled } from '../scene/colour.ts'
import { drawnWords } from '../scene/drawn-words.ts'
import { streamsOf } from '../scene/random.ts'
import { readTheme } from '../scene/theme.ts'
import { sceneStyles, styleWords } from './style-words.ts'
import { styles } from './styles.ts'

/** Draws a scene in the styles that the prompt names. @returns the same frame when it names none */
export function styledScene(frame: Frame, prompt: string, variation: string): Frame {
  const stream = streamsOf(prompt, variation)
  const inks = () =>
    abstractPalette(readTheme(prompt, stream('theme')), stream('inks')).map((ink) => scaled(ink, 0.98))
  return sceneStyles(prompt).reduce((before, name) => styles[name].apply(before, inks()), frame)
}

/** The words of the prompt that a picture shows, in their order: what its scene shows, and its styles. */
export function styledWords(prompt: string, variation: string): readonly string[] {
  const lists = sceneStyles(prompt).map((name) => styleWords[name])
  return drawnWords(prompt, variation, lists)
}
