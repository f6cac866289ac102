import { wordsOf } from '../scene/prompt-words.ts'

/** The words of a prompt that choose each style. */
export const styleWords = {
  sketch: 'sketch pencil drawing drawn charcoal outline lineart line ink comic',
  pixels: 'pixel pixelated pixelate 8-bit 8bit retro mosaic lego minecraft',
  poster: 'poster posterize pop warhol screenprint graphic flat cartoon anime manga illustration',
  duotone: 'duotone two-tone cyanotype risograph monotone silhouette',
  monochrome: 'black-and-white monochrome noir bw grayscale greyscale',
  dreamy: 'blur blurry dream dreamy soft bokeh glow glowing ethereal hazy',
  painting:
    'paint painting painted painterly oil watercolor watercolour impressionist gogh monet canvas brush artistic art',
  negative: 'invert inverted negative xray x-ray',
} as const

/** The name of a style. */
export type StyleName = keyof typeof styleWords

/** The styles that a prompt names. */
export function namedStyles(prompt: string): readonly StyleName[] {
  const words = wordsOf(prompt)
  const names = Object.keys(styleWords) as StyleName[]
  return names.filter((name) => styleWords[name].split(' ').some((word) => words.has(word)))
}

/** The styles that a prompt names for a scene. Its light is soft or hazy without a filter. */
export function sceneStyles(prompt: string): readonly StyleName[] {
  return namedStyles(prompt).filter((name) => name !== 'dreamy')
}
