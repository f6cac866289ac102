import { describe, expect, test } from 'vitest'
import { runProgram } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { scriptCommand } from '../processes/start-server.ts'

const app = new URL('busy-app.ts', import.meta.url)

describe.each(Object.keys(runtimes) as Runtime[])('an app on %s with work under way', (runtime) => {
  test('ends when it has nothing left to do, though it never closes its service', async () => {
    const { exit, stdout, stderr } = await runProgram(scriptCommand(runtime, app, 'leave'))
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
    expect(JSON.parse(stdout)).toEqual({ phase: 'running', signalHandlers: 0 })
  })

  test('ends after close() of its service, which leaves no handlers of signals and errors behind', async () => {
    const { exit, stdout } = await runProgram(scriptCommand(runtime, app, 'close'))
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ phase: 'running', signalHandlers: 0 })
  })
})
