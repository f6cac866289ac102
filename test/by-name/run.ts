import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'

/**
 * `npm run test:one -- <name>` runs the test files whose path contains the name, in whichever workspace. Where there are
 * none it runs the tests whose title contains it.
 */
const name = process.argv.slice(2).join(' ')
const repo = join(import.meta.dirname, '../..')

const sources = globSync(['packages/*/src/**/*.ts', 'test/**/*.ts'], { cwd: repo }).map((file) =>
  file.replaceAll('\\', '/'),
)
const isTest = (file: string) => file.endsWith('.test.ts')
const namedFiles = sources.filter((file) => isTest(file) && file.includes(name))

/**
 * The test files whose text contains the title. All of them when it is nowhere, as a title that `test.each` puts together,
 * or in a shared suite, whose cases are tests of many files.
 */
function filesWithTitle(): string[] {
  const named = sources.filter((file) =>
    readFileSync(join(repo, file), 'utf8').replaceAll('\\', '').includes(name),
  )
  return named.length > 0 && named.every(isTest) ? named : sources.filter(isTest)
}

/** @returns how many tests have run */
async function run(): Promise<number> {
  const isTitle = namedFiles.length === 0
  const vitest = await startVitest('test', isTitle ? filesWithTitle() : namedFiles, {
    run: true,
    root: repo,
    config: join(repo, 'test/vitest.config.ts'),
    ...(isTitle && { testNamePattern: name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&') }),
  })
  const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])
  await vitest.close()
  return tests.filter((test) => test.result().state !== 'skipped').length
}

if (name === '') {
  console.error('What to run is missing: npm run test:one -- <part of a path or of a title>')
  process.exitCode = 1
} else if ((await run()) === 0 && namedFiles.length === 0) {
  console.error(`No test has "${name}" in its title or in the path of its file.`)
  process.exitCode = 1
}
