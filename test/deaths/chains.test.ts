import { expect, test } from 'vitest'
import { expectWholeChain } from './campaign/expect-whole-chain.ts'

test.concurrent.for(['after the provider has accepted', 'after a copy is stored'] as const)(
  'three jobs, each of which needs the output of the one before, are paid for once and made in their order when the server is killed %s of each',
  async (point, { onTestFinished }) => {
    expect(await expectWholeChain(point, onTestFinished)).toBe(3)
  },
)
