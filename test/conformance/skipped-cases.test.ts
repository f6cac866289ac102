import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { runProgram } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { readerFolder } from '../readme/reader-folder.ts'

/** The tests of an author whose provider has none of the optional functions, and says so of some. */
const authorTests = (framework: string, lacks: readonly string[]) => `
import { test } from '${framework}'
import { fakeProvider, manualClock, providerSuite } from '@genmount/testing'

const suite = providerSuite(
  () => {
    const clock = manualClock()
    const { find, list, cancel, readCallback, ...provider } = fakeProvider({ clock, behave: [{ delayMs: 5 }] })
    return { provider: { ...provider, dedupesSubmits: false }, clock }
  },
  [{ model: 'fake-image', input: { prompt: 'a fox' } }],
  { lacks: ${JSON.stringify(lacks)} },
)
for (const [name, run] of Object.entries(suite)) test(name, run)
`

const conditions = ['@genmount/source', 'module', 'node', 'development|production']
const folder = readerFolder({
  'package.json': { type: 'module' },
  'vitest.config.js': `export default ${JSON.stringify({ resolve: { conditions }, ssr: { resolve: { conditions } } })}`,
  'node.mjs': authorTests('node:test', ['list', 'readCallback']),
  'node-lacks-all.mjs': authorTests('node:test', [
    'cancel',
    'dedupesSubmits',
    'find',
    'list',
    'readCallback',
  ]),
  'vitest.test.js': authorTests('vitest', ['list', 'readCallback']),
  'bun.test.js': authorTests('bun:test', ['list', 'readCallback']),
})

const missing = [
  'the provider has no dedupesSubmits',
  'the provider has no find',
  'the provider has no find',
  'the provider has no find',
  'the provider has no cancel',
]

test('node:test reports the cases of functions that a provider lacks as skipped, with the name of the function', async () => {
  const { exit, stdout } = await runProgram(
    [...runtimes.node, '--test-reporter=tap', join(folder, 'node.mjs')],
    { cwd: folder },
  )
  expect(exit).toBe(0)
  expect(stdout).toContain('# skipped 5\n')
  expect([...stdout.matchAll(/# SKIP (the provider has no \w+)/g)].map(([, why]) => why)).toEqual(missing)
})

test('node:test skips no case of functions that the author says the provider lacks', async () => {
  const { exit, stdout } = await runProgram(
    [...runtimes.node, '--test-reporter=tap', join(folder, 'node-lacks-all.mjs')],
    { cwd: folder },
  )
  expect(exit).toBe(0)
  expect(stdout).toContain('# skipped 0\n')
})

test('vitest reports the cases of functions that a provider lacks as skipped, with the name of the function', async () => {
  const vitest = join(repo, 'node_modules/vitest/vitest.mjs')
  const { exit, stdout } = await runProgram(
    [process.execPath, vitest, 'run', '--root', folder, '--reporter=verbose', 'vitest.test.js'],
    { cwd: folder, env: { NO_COLOR: '1' } },
  )
  expect(exit, stdout).toBe(0)
  expect(stdout).toMatch(/Tests .* 5 skipped/)
  expect([...stdout.matchAll(/\[(the provider has no \w+)[^\]]*\]/g)].map(([, why]) => why)).toEqual(missing)
})

test('Bun, whose tests can not be skipped from within, runs the same suite', async () => {
  const { exit, stderr } = await runProgram(
    [runtimes.bun[0], 'test', '--conditions=@genmount/source', 'bun.test.js'],
    {
      cwd: folder,
    },
  )
  expect(exit, stderr).toBe(0)
})
