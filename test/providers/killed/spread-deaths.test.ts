import { expect, test } from 'vitest'
import { checkSpreadDeath } from './spread-deaths.ts'

// The first part is stored by then, and the second is being made or stored.
test.concurrent.for([
  ['google image', 8],
  ['google image', 12],
  ['openai responses', 9],
] as const)(
  'a process that is killed while it makes the second of three outputs pays for none twice, and the next one delivers the others (%s, moment %i)',
  async ([vendor, killAt]) => {
    const { phase } = await checkSpreadDeath(vendor, killAt)
    expect(phase).toBe('completed')
  },
)
