import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { runtimes } from '../runtimes.ts'
import { poolCases } from './pool-cases.ts'

const runner = fileURLToPath(new URL('run-cases.ts', import.meta.url))

describe.each(Object.entries(runtimes))('on %s', (_name, [binary, ...args]) => {
  let verdicts: Record<string, string>

  beforeAll(async () => {
    const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1' }
    const { stdout } = await promisify(execFile)(binary, [...args, runner], { env, timeout: 50_000 })
    verdicts = JSON.parse(stdout)
  })

  test.each(Object.keys(poolCases))('%s', (name) => {
    expect(verdicts[name]).toBe('holds')
  })
})
