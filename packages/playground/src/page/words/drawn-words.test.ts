import { expect, test } from 'vitest'
import { drawnWords } from './drawn-words.ts'

test.each([
  [
    'Snowy mountains at night',
    'snowy, mountains, night',
    'Drawn: snowy, mountains, night. It knows 60 words.',
  ],
  ['a robot', '', 'Drawn: nothing that the prompt names. It knows 60 words.'],
  ['a robot', 'A friendly robot, in a park', 'Made from: A friendly robot, in a park'],
])('of a picture of %j that was made from %j the page says %j', (prompt, revised, words) => {
  expect(drawnWords(prompt, revised, 'It knows 60 words.')).toBe(words)
})
