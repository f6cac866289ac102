import { cpuTimeOf } from '@genmount/testing'
import { expect, test } from 'vitest'
import { isPolicyRefusal } from './google-failure.ts'

test('a message of Google that was blocked for safety is a refusal for its content, and a long one is read in linear time', async () => {
  expect(isPolicyRefusal('The prompt was blocked because of our safety settings')).toBe(true)
  expect(isPolicyRefusal('The port is blocked. See the safety notes.')).toBe(false)
  expect(await cpuTimeOf(() => isPolicyRefusal('blocked '.repeat(50_000)))).toBeLessThan(2000)
})
