import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { outputOf, runProgram } from '../processes/run-program.ts'

/** A system that has only these programs in its PATH, each a shell script. */
function systemWith(programs: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-system-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return { folder, calls: () => readFileSync(join(folder, 'calls'), 'utf8').split('\n') }
}

const call = `import { installNeeds } from ${JSON.stringify(join(repo, 'test/suite/install-needs.ts'))}
console.log(await installNeeds() ? 'goes on' : 'stops')`
const installIn = (PATH: string, env = {}) =>
  runProgram([process.execPath, '--input-type=module', '--eval', call], { env: { PATH, ...env } })

const apt = 'echo "$0 $*" >> "$(/usr/bin/dirname "$0")/calls"'
const env = 'while [ "${1#*=}" != "$1" ]; do shift; done; exec "$@"'

test('on Debian, root and users of a sudo without a password get the packages of all missing programs in one call of apt-get', async () => {
  const { folder, calls } = systemWith({
    'apt-get': apt,
    env,
    sudo: '[ "$1" = -n ] && shift; exec "$@"',
    true: '',
  })
  const { stdout } = await installIn(folder)
  expect(stdout).toMatch(
    /^Installing for the tests: chromium-headless-shell curl gcc libc6-dev libimage-exiftool-perl ffmpeg git /,
  )
  expect(calls().filter((line) => / install /.test(line))[0]).toMatch(
    /apt-get -qq install -y --no-install-recommends chromium-headless-shell curl gcc libc6-dev libimage-exiftool-perl ffmpeg git /,
  )
})

test('a user who can not install packages reads the one command to run, and the run goes on', async () => {
  const { folder } = systemWith({ 'apt-get': '[ "$*" = --version ]', env, sudo: 'exit 1' })
  const { stdout } = await installIn(folder)
  expect(stdout).toMatch(/^Missing: chromium, for pages in a browser$/m)
  expect(stdout).toMatch(
    /^To install chromium, curl, cc, .*: sudo apt-get install -y --no-install-recommends chromium-headless-shell curl gcc /m,
  )
  expect(stdout).toMatch(/^The tests that need what is missing are skipped\.\ngoes on\n$/m)
})

test('with the variable CI set, a missing program stops the run', async () => {
  const { folder } = systemWith({})
  const { stdout, stderr } = await installIn(folder, { CI: 'true' })
  expect(stderr).toBe('The variable CI is set, so nothing may be missing.\n')
  expect(stdout).toMatch(/stops\n$/)
})

test('tests of a missing program are skipped, and the end of the run says how many and why', async () => {
  const { folder } = systemWith({})
  symlinkSync(process.execPath, join(folder, 'node'))
  const vitest = [join(repo, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts']
  const printed = await outputOf([process.execPath, ...vitest, 'browsers/drawings', 'suite/reached-tests'], {
    env: { PATH: folder },
  })
  expect(printed).toMatch(/^Skipped without chromium: 1 test of pages in a browser$/m)
  expect(printed).toMatch(/^4 passed, 0 failed, 1 skipped$/m)
})
