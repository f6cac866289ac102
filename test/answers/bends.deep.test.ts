import { expect, test } from 'vitest'
import { vendors } from './vendors.ts'
import { bentAnswers, faultOf } from './bent.ts'

test.for(Object.keys(vendors))(
  'of each answer of %s with any bend, each file is delivered or the words say why not, and nothing is thrown',
  async (vendor) => {
    const faults: string[] = []
    for (const bent of bentAnswers()) {
      if (bent.answer.vendor !== vendor) continue
      const fault = await faultOf(bent)
      if (fault !== undefined) faults.push(`${bent.answer.name}, ${bent.bend.what}: ${fault}`)
    }
    expect(faults).toEqual([])
  },
)
