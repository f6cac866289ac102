import { expect, test } from 'vitest'
import { checkSpreadDeath } from './spread-deaths.ts'

/** The processes of one vendor that live at the same time. Most of their time they wait for the claim of a killed one to run out. */
const atATime = 8

// Pictures come in the answer to a submit at Google, and from tasks at OpenAI.
test.concurrent.for(['google image', 'openai responses'])(
  'a process may be killed at each moment of a job for three outputs: no part is paid for twice, and what is made is delivered (%s)',
  { timeout: 600_000 },
  async (vendor) => {
    const { moments } = await checkSpreadDeath(vendor, 0)
    expect(moments).toBeGreaterThan(15)
    const waiting = Array.from({ length: moments }, (_, index) => index + 1)
    const killNext = async (): Promise<void> => {
      for (let killAt = waiting.pop(); killAt; killAt = waiting.pop()) await checkSpreadDeath(vendor, killAt)
    }
    await Promise.all(Array.from({ length: atATime }, killNext))
  },
)
