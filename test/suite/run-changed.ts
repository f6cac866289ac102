import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { repo } from '../processes/repo.ts'
import { outputOf, runProgram } from '../processes/run-program.ts'
import { reachedTests } from './reached-tests.ts'

/**
 * `npm run test:changed` runs the tests that your changes can reach: what is not committed, and on a branch what the
 * branch has changed since it left `main`. `npm run test:changed -- <commit>` takes the changes since that commit.
 */
const linesOf = async (...args: string[]) =>
  (await outputOf(['git', ...args])).split('\n').filter((line) => line !== '')

async function commitToCompare(): Promise<string> {
  const [, , commit] = process.argv
  if (commit !== undefined) return commit
  const { exit, stdout } = await runProgram(['git', 'merge-base', 'HEAD', 'main'])
  return exit === 0 ? stdout.trim() : 'HEAD'
}

const untracked = await linesOf('ls-files', '--others', '--exclude-standard')
const files = [...(await linesOf('ls-files')), ...untracked]
const changed = new Set([...(await linesOf('diff', '--name-only', await commitToCompare())), ...untracked])
const present = files.filter((file) => existsSync(join(repo, file)))
const tests = reachedTests(present, changed, (file) => readFileSync(join(repo, file), 'utf8')).filter(
  (file) => !/\.deep(\.alone)?\.test\.ts$/.test(file),
)

console.log(`${changed.size} changed files reach ${tests.length} test files.`)
if (tests.length > 0)
  await startVitest('test', tests, { run: true, root: repo, config: 'test/vitest.config.ts' })
