import { describe, expect, test } from 'vitest'
import { httpSuiteService } from '@genmount/testing/http'
import { guardStatus } from './guarded-fetch.ts'
import type { GuardedHost } from './guarded-hosts.ts'
import { sentRaw, spellingsOf } from './spellings.ts'

const { keys } = httpSuiteService()
const fields = {
  authorization: `Bearer ${keys.alice}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const creating = JSON.stringify({ model: 'fake-image', prompt: 'a kite' })
const calling = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** @returns the spellings of the path that reach what is behind the guard */
async function passing(origin: string, mountPath: string, path: string, body: string, sign: string) {
  const plain = await sentRaw(origin, { target: mountPath + path, host: 'localhost' }, fields, body)
  expect(plain).toMatch(`HTTP/1.1 ${guardStatus} `)
  const passed: string[] = []
  for (const spelling of spellingsOf(mountPath, path)) {
    const answer = await sentRaw(origin, spelling, fields, body)
    if (answer.includes(sign)) passed.push(`${spelling.target} at ${spelling.host}`)
  }
  return passed
}

/** Declares the tests that no spelling of a path leads past the guards of these hosts. */
export function testGuards(hosts: readonly GuardedHost[]): void {
  describe.each(hosts)('$name', ({ mountPath, start }) => {
    test('no spelling of a path leads past a guard of the host to a job', async () => {
      expect(await passing(await start(), mountPath, '/v1/generate', creating, '"gen_')).toEqual([])
    })
  })

  describe.each(hosts.filter(({ hasAgents }) => hasAgents))('$name', ({ mountPath, start }) => {
    test('no spelling of a path leads past a guard of the host to the endpoint for agents', async () => {
      expect(await passing(await start(), mountPath, '/mcp', calling, '"result"')).toEqual([])
    })
  })
}
