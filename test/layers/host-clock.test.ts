import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { runProgram } from '../processes/run-program.ts'

const oxlint = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin/oxlint')
const folder = mkdtempSync(join(tmpdir(), 'genmount-lint-'))
copyFileSync(join(repo, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lints a file that is alone in its repository. @returns what the linter says against it */
async function complaintsAbout(path: string, source: string): Promise<string> {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  const { stdout } = await runProgram([process.execPath, oxlint, '--deny-warnings', path], { cwd: folder })
  rmSync(file)
  return stdout
}

test.each(['Date.now()', 'setTimeout(() => {}, 1)', 'performance.now()'])(
  'the linter refuses %s in core, except in its folder defaults',
  async (call) => {
    const source = `export const value = ${call}\n`
    expect(await complaintsAbout('packages/core/src/steps/breach.ts', source)).toContain(
      'no-restricted-globals',
    )
    expect(await complaintsAbout('packages/core/src/defaults/fine.ts', source)).not.toContain(
      'no-restricted-globals',
    )
  },
)
