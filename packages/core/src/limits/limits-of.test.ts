import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { limitsOf } from './limits-of.ts'

test('the function for limits is called once for an owner, however many requests come at the same time', async () => {
  const asked: string[] = []
  let answer = (_limits: object) => {}
  const given = new Promise<object>((resolve) => (answer = resolve))
  const limits = limitsOf((owner) => (asked.push(owner), given), manualClock())
  const [storm, other] = [Array.from({ length: 1000 }, () => limits('alice')), limits('bob')]
  await Promise.resolve()
  answer({ requestsPerMinute: 7 })
  expect(new Set(await Promise.all(storm))).toEqual(new Set([{ requestsPerMinute: 7 }]))
  await other
  expect(asked).toEqual(['alice', 'bob'])
})

test('a function for limits that has failed is called again by the next request', async () => {
  let asked = 0
  const limits = limitsOf(() => (asked++ === 0 ? Promise.reject(new Error('away')) : {}), manualClock())
  const storm = await Promise.allSettled(Array.from({ length: 10 }, async () => limits('alice')))
  expect(storm.map(({ status }) => status)).toEqual(Array(10).fill('rejected'))
  expect(await limits('alice')).toEqual({})
  expect(asked).toBe(2)
})
