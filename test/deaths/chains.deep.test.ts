import { expect, test } from 'vitest'
import { expectWholeChain } from './campaign/expect-whole-chain.ts'
import { killPoints } from './service/kill-points.ts'

test.concurrent.for(killPoints.filter((point) => point !== 'before bytes are stored'))(
  'three jobs, each of which needs the output of the one before, are paid for once and made in their order when the server is killed %s',
  { timeout: 300_000 },
  async (point, { onTestFinished }) => {
    expect(await expectWholeChain(point, onTestFinished)).toBeGreaterThan(0)
  },
)
