import { expect, test } from 'vitest'
import { checkSpreadDeath } from './spread-deaths.ts'

test.for(['google image', 'google omni', 'openai responses'])(
  'a process may be killed at each moment of a job for three outputs: no part is paid for twice, and what is made is delivered (%s)',
  { timeout: 600_000 },
  async (vendor) => {
    const { moments } = await checkSpreadDeath(vendor, 0)
    expect(moments).toBeGreaterThan(15)
    for (let killAt = 1; killAt <= moments; killAt += 2)
      await Promise.all([checkSpreadDeath(vendor, killAt), checkSpreadDeath(vendor, killAt + 1)])
  },
)
