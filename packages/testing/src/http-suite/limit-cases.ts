import assert from 'node:assert/strict'
import { codeOf } from './expect-error.ts'
import type { Cases } from './suite-client.ts'
import { carolsRequests } from './suite-jobs.ts'

export const limitCases: Cases = {
  'an owner who sends more requests than allowed is told how many are left, and then 429 with the time to wait':
    async (client) => {
      assert(client.subject.keys.carol, 'give the subject all keys of httpSuiteService()')
      const left: number[] = []
      for (;;) {
        const reply = await client.send({ path: '/v1/models', as: 'carol' })
        const [, remaining, seconds] =
          /^"requests";r=(\d+);t=(\d+)$/.exec(reply.headers.get('ratelimit') ?? '') ?? []
        assert(remaining && seconds, reply.head)
        assert.equal(reply.headers.get('ratelimit-policy'), `"requests";q=${carolsRequests};w=60`)
        if (reply.status === 429) {
          assert.equal(codeOf(reply), 'rate_limit_exceeded')
          assert.equal(remaining, '0')
          assert.equal(reply.headers.get('retry-after'), seconds)
          assert(Number(seconds) >= 1 && Number(seconds) <= 60 / carolsRequests, reply.head)
          break
        }
        assert.equal(reply.status, 200)
        left.push(Number(remaining))
        assert(left.length <= 2 * carolsRequests, 'no request was too many')
      }
      assert(left.length >= carolsRequests || left[0] !== carolsRequests - 1, `${left}`)
    },

  'an owner without such a limit gets no header about it': async (client) => {
    const reply = await client.send({ path: '/v1/models', as: 'bob' })
    assert.equal(reply.status, 200)
    assert(!reply.headers.has('ratelimit') && !reply.headers.has('ratelimit-policy'), reply.head)
  },
}
