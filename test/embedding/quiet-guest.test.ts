import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'

const app = join(import.meta.dirname, 'busy-app.ts')

describe.each(Object.entries(runtimes))(
  'in an app on %s that has work under way and a service that it never closes',
  (_name, command) => {
    const [program, ...args] = command
    const run = (mode: string) =>
      spawnSync(program, [...args, app, mode], {
        encoding: 'utf8',
        timeout: 120_000,
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
      })

    test('the process ends when the app has nothing left to do', () => {
      const { status, signal, stdout, stderr } = run('leave')
      expect({ status, signal, stderr }).toMatchObject({ status: 0, signal: null })
      expect(JSON.parse(stdout)).toEqual({ phase: 'running', signalHandlers: 0 })
    })

    test('close() leaves nothing behind either', () => {
      const { status, signal, stdout } = run('close')
      expect({ status, signal }).toEqual({ status: 0, signal: null })
      expect(JSON.parse(stdout)).toEqual({ phase: 'running', signalHandlers: 0 })
    })
  },
)
