import { expect, test } from 'vitest'
import { outputName } from './output-name.ts'

const nameFor = (prompt: unknown, model = 'fal-ai/flux/dev') =>
  outputName({ id: 'gen_1', model, shownInput: { prompt: prompt as string } }, 1)

test.each([
  ['A red fox, in the snow!', 'fal-ai-flux-dev-a-red-fox-in-the-snow-2'],
  ['Café\r\n"; filename=x', 'fal-ai-flux-dev-cafe-filename-x-2'],
  ['一只狐狸', 'fal-ai-flux-dev-gen-1-2'],
  [undefined, 'fal-ai-flux-dev-gen-1-2'],
  ['', 'fal-ai-flux-dev-gen-1-2'],
  ['../../etc/passwd', 'fal-ai-flux-dev-etc-passwd-2'],
  [`${'word '.repeat(100_000)}`, `fal-ai-flux-dev-${Array(12).fill('word').join('-')}-2`],
  ['w'.repeat(1000), `fal-ai-flux-dev-${'w'.repeat(60)}-2`],
])('the file of an output is named after its model, its prompt %j and its number', (prompt, name) => {
  expect(nameFor(prompt)).toBe(name)
})
