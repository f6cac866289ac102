import { describe, expect, test } from 'vitest'
import { styledScene, styledWords } from '../edit/styled-scene.ts'
import { blankFrame } from '../render/frame.ts'
import { composeScene } from './compose-scene.ts'
import { drawnWords } from './drawn-words.ts'

const variations = ['1', '2', '3', '4', '5']

test.each([
  ['Snowy mountains at night', 'snowy mountains night'],
  ['a castle above a forest lake at sunset', 'forest lake sunset'],
  ['a cat in a meadow of red poppies', 'meadow red poppies'],
  ['Saturn in a teal and orange nebula', 'saturn teal orange nebula'],
  ['a boat in the desert', 'boat'],
  ['a portrait of a robot', ''],
  ['whales over a coral reef', 'coral reef'],
])('the words that a scene of %j shows are %j', (prompt, words) => {
  for (const variation of variations) expect(drawnWords(prompt, variation).join(' ')).toBe(words)
})

/**
 * The 100 words that prompts for Stable Diffusion have most often: the noun phrases of one word in
 * explorer/data/phrases-tree.json of https://github.com/poloclub/diffusiondb (commit bf0b01ee of 2024-07-11), which counts
 * them in the 1.8 million prompts of DiffusionDB, without the names of artists and sites. Read on 2026-11-28.
 */
const mostUsed = {
  drawn: [
    'art painting illustration light city field sky forest flower landscape night tree poster canvas cloud space anime oil',
    'drawing water epic cyberpunk',
  ],
  notDrawn: [
    'portrait lighting 8k digital focus style detail 4k octane photo face intricate color background hair smooth eye elegant',
    'woman fantasy cinematic 3d man photography girl masterpiece engine shot hyper detailed photograph photorealistic render',
    'body artwork view composition resolution quality movie hd film realistic design head scene depth cat character armor',
    'skin beautiful realism angle image hyperrealistic studio dress ray atmosphere room robot suit 35mm environment contrast',
    'hand glass award texture god hdr illumination japanese shadow street world dragon',
  ],
}
const wordsIn = (lists: readonly string[]) => lists.flatMap((list) => list.split(' '))

/** Words of places, light and things that follow in that list, or that people try on this provider. */
const further =
  'mountain building sunset star shape house moon dark fog reflection magic planet castle lake river ocean beach desert rain snow lightning cabin lighthouse volcano galaxy coral sunrise storm aurora balloon birds boat palm sketch'

describe('of the words that prompts have most often', () => {
  const drawn = wordsIn(mostUsed.drawn)
  const notDrawn = wordsIn(mostUsed.notDrawn)

  test('100 are known to be drawn or not', () => {
    expect(new Set([...drawn, ...notDrawn]).size).toBe(100)
  })

  test.each([...drawn, ...further.split(' ')])(
    'a picture shows %j, and next to nothing of it is as bright as can be',
    (word) => {
      for (const variation of variations) expect(styledWords(word, variation)).toEqual([word])
      for (const variation of variations.slice(0, 2)) expect(clippedShare(word, variation)).toBeLessThan(0.02)
    },
  )

  test.each(notDrawn)('a picture does not claim to show %j', (word) => {
    for (const variation of variations) expect(styledWords(word, variation)).toEqual([])
  })
})

const size = 96

/** The part of the values of a picture that are as bright as they can be. */
function clippedShare(prompt: string, variation: string): number {
  const frame = blankFrame(size, size)
  composeScene({ prompt, variation, view: { width: size, height: size, seconds: 0 } }).paint(frame, 0)
  const { pixels } = styledScene(frame, prompt, variation)
  return pixels.filter((value) => value * 255 >= 254.5).length / pixels.length
}
