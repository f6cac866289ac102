import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const repo = join(import.meta.dirname, '../..')
const oxlint = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin/oxlint')
const house = mkdtempSync(join(tmpdir(), 'genmount-lint-'))
copyFileSync(join(repo, '.oxlintrc.json'), join(house, '.oxlintrc.json'))
afterAll(() => rmSync(house, { recursive: true }))

/** Lints one file of a house that is empty but for it. @returns what the linter says against it */
function complaintsAbout(path: string, source: string): string {
  const file = join(house, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
  const { stdout } = spawnSync(process.execPath, [oxlint, '--deny-warnings', path], {
    cwd: house,
    encoding: 'utf8',
  })
  rmSync(file)
  return stdout
}

test.each(['Date.now()', 'setTimeout(() => {}, 1)', 'performance.now()'])(
  'in core only the defaults may use %s of the host',
  (call) => {
    const source = `export const value = ${call}\n`
    expect(complaintsAbout('packages/core/src/steps/breach.ts', source)).toContain('no-restricted-globals')
    expect(complaintsAbout('packages/core/src/defaults/fine.ts', source)).not.toContain(
      'no-restricted-globals',
    )
  },
)
