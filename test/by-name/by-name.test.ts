import { expect, test } from 'vitest'
import { runProgram } from '../processes/run-program.ts'
import { scriptCommand } from '../processes/start-server.ts'

/** Runs `npm run test:one -- <name>` without npm. @returns its last line and how it ended */
async function testOne(...name: readonly string[]) {
  const command = scriptCommand('node', new URL('run.ts', import.meta.url), ...name)
  const { stdout, stderr, exit } = await runProgram(command, { timeoutMs: 300_000 })
  const [tally = ''] = /^\d+ passed, \d+ failed/m.exec(stdout) ?? []
  return { tally, exit, output: stdout + stderr }
}

test('npm run test:one with a part of a path runs the test file, in whichever package it is', async () => {
  const { tally, exit, output } = await testOne('errors/generation-error')
  expect(output).toContain('packages/core/src/errors/generation-error.test.ts')
  expect({ tally, exit }).toEqual({ tally: '1 passed, 0 failed', exit: 0 })
})

test('npm run test:one with a part of a title runs that test alone, also when its words are not quoted for the shell', async () => {
  const words = ['a', 'file', 'without', 'a', 'hash has none']
  expect(await testOne(...words)).toMatchObject({ tally: '1 passed, 0 failed', exit: 0 })
})

test('npm run test:one with a name that no test has says so and fails', async () => {
  // It stands in this file, so that no other one is searched for a test of that title.
  const { exit, output } = await testOne('packages/core/src/no-such')
  expect(output).toContain('No test has "packages/core/src/no-such" in its title or in the path of its file.')
  expect(exit).toBe(1)
})

test('npm run test:one without a name runs nothing, says how it is used, and fails', async () => {
  const { exit, output } = await testOne()
  expect(output).toContain('npm run test:one -- <part of a path or of a title>')
  expect(exit).toBe(1)
})
