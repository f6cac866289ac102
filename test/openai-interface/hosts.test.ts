import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { hosts } from './hosts.ts'
import { sdkCases } from './sdk-cases.ts'

/** On Node, the other files of this folder have all cases. */
const shortCases = ['an edit with two pictures and a mask', 'the class of each error']

test.each(Object.keys(hosts).filter((name) => name !== 'node:http'))(
  "OpenAI's SDK edits pictures and gets its errors from a server on %s",
  async (name) => {
    const { origin, stop } = await hosts[name]!()
    try {
      const sdk = new OpenAI({ apiKey: 'alice-key', baseURL: `${origin}/openai/v1`, maxRetries: 0 })
      expect(shortCases.filter((each) => sdkCases[each] === undefined)).toEqual([])
      for (const each of shortCases) await sdkCases[each]!(sdk)
    } finally {
      await stop()
    }
  },
)
