import { describe, expect, test } from 'vitest'
import { httpSuiteService } from '@genmount/testing/http'
import { guardStatus } from './guarded-fetch.ts'
import { guardedHosts } from './guarded-hosts.ts'
import { sentRaw, spellingsOf } from './spellings.ts'

const { keys } = httpSuiteService()
const fields = { authorization: `Bearer ${keys.alice}`, 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite' })

describe.each(guardedHosts)('$name', ({ mountPath, start }) => {
  test('no spelling of a path leads past a guard of the host to a job', async () => {
    const origin = await start()
    const send = (target: string, host = 'localhost') => sentRaw(origin, { target, host }, fields, body)
    expect(await send(`${mountPath}/v1/generate`)).toMatch(`HTTP/1.1 ${guardStatus} `)
    const passed: string[] = []
    for (const { target, host } of spellingsOf(mountPath, '/v1/generate')) {
      const answer = await send(target, host)
      // Only genmount knows this word.
      if (answer.includes('"gen_')) passed.push(`${target} at ${host}`)
    }
    expect(passed).toEqual([])
  })
})
