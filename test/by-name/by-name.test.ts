import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs `npm run test:one -- <name>` without npm. @returns its last line and how it ended */
function testOne(...name: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const args = [join(import.meta.dirname, 'run.ts'), ...name]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const [tally = ''] = /^\d+ passed, \d+ failed/m.exec(stdout) ?? []
  return { tally, status, output: stdout + stderr }
}

test('a part of the path of a test file runs that file, in whichever package it is', () => {
  const { tally, status, output } = testOne('errors/generation-error')
  expect(output).toContain('packages/core/src/errors/generation-error.test.ts')
  expect({ tally, status }).toEqual({ tally: '1 passed, 0 failed', status: 0 })
})

test('a part of the title of a test runs that test alone, quoted for the shell or not', () => {
  for (const name of [
    ['a file without a hash has none'],
    ['a', 'file', 'without', 'a', 'hash', 'has', 'none'],
  ])
    expect(testOne(...name)).toMatchObject({ tally: '1 passed, 0 failed', status: 0 })
})

test('a name that no test has is told, and is a failure', () => {
  // It stands in this file, so that no other one is searched for a test of that title.
  const { status, output } = testOne('packages/core/src/no-such')
  expect(output).toContain('No test has "packages/core/src/no-such" in its title or in the path of its file.')
  expect(status).toBe(1)
}, 300_000)

test('without a name nothing is run, and the use is told', () => {
  const { status, output } = testOne()
  expect(output).toContain('npm run test:one -- <part of a path or of a title>')
  expect(status).toBe(1)
})
