import OpenAI from 'openai'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { hosts } from './hosts.ts'
import { sdkCases } from './sdk-cases.ts'

describe.each(Object.entries(hosts))("OpenAI's SDK, from a server on %s", (_, start) => {
  let host: Awaited<ReturnType<typeof start>>
  beforeAll(async () => void (host = await start()))
  afterAll(() => host.stop())

  test.each(Object.entries(sdkCases))('%s', async (_name, run) => {
    await run(new OpenAI({ apiKey: 'alice-key', baseURL: `${host.origin}/openai/v1`, maxRetries: 0 }))
  })
})
