import { expect, test } from 'vitest'
import { styleWords } from '../edit/style-words.ts'
import { colourWords, features, grounds, lights } from '../scene/theme.ts'
import { proceduralProvider } from './procedural-provider.ts'

test('the descriptions of the procedural models say how many words they know; those of styles are for pictures', () => {
  const ofScenes = [grounds, lights, features].flatMap((table) => Object.values(table))
  const tables = { image: [...ofScenes, ...Object.values(styleWords)], video: ofScenes }
  for (const { outputKind, description } of proceduralProvider().models) {
    const words = tables[outputKind].flatMap((list) => list.split(' '))
    const count = new Set([...words, ...Object.keys(colourWords)]).size
    expect(description).toContain(` ${count} English words`)
  }
})
