import { expect, test } from 'vitest'
import { bentAnswers, faultOf } from './bent.ts'

/** Every such bend is tried here, and all of them in `bends.deep.test.ts`. */
const every = 17

test('of an answer that was bent, each file is delivered or the words say why not, and nothing is thrown', async () => {
  const faults: string[] = []
  let index = 0
  for (const bent of bentAnswers()) {
    if (index++ % every > 0) continue
    const fault = await faultOf(bent)
    if (fault !== undefined) faults.push(`${bent.answer.name}, ${bent.bend.what}: ${fault}`)
  }
  expect(index).toBeGreaterThan(10_000)
  expect(faults).toEqual([])
})
