import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runtimes } from '../../runtimes.ts'

const script = fileURLToPath(new URL('webhook-on-runtime.ts', import.meta.url))

test.each(Object.entries(runtimes))(
  '%s tells a genuine webhook from a forged one',
  async (_name, command) => {
    const [binary, ...args] = command
    const { stdout } = await promisify(execFile)(binary, [...args, script], { timeout: 25_000 })
    expect(JSON.parse(stdout)).toEqual({
      genuine: { request_id: 'r-1' },
      forged: 'The webhook has a signature that none of the keys of fal has made.',
    })
  },
)
