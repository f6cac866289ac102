import { spawnSync } from 'node:child_process'
import { type SystemNeed, missingNeeds, systemNeeds } from './system-needs.ts'

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

/**
 * Installs what the tests need from the system and is missing: on Debian and Ubuntu as root, or with a sudo that asks for
 * no password. Elsewhere it prints the line to run, and the tests that need what is missing are skipped.
 * @returns whether the run can go on: with `CI` set, nothing may be missing
 */
export function installNeeds(): boolean {
  const packages = packagesFor('debian')
  if (packages.length > 0 && succeeds('apt-get', '--version')) installPackages(packages)
  const missing = missingNeeds()
  if (missing.length === 0) return true
  for (const name of missing) console.log(`Missing: ${name}, for ${systemNeeds[name].usedFor}.`)
  const line = installLine()
  if (line) console.log(`To run all tests, first run: ${line}`)
  if (!process.env['CI']) return true
  console.error('CI is set, so nothing may be missing.')
  return false
}

function packagesFor(system: 'debian' | 'homebrew'): string[] {
  return missingNeeds().flatMap((name) => (systemNeeds[name] as SystemNeed)[system] ?? [])
}

const install = ['install', '-y', '-qq', '--no-install-recommends']

function installPackages(packages: readonly string[]): void {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && !succeeds('sudo', '-n', 'true')) return
  const [program = '', ...first] = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get']
  const apt = (...args: string[]) =>
    spawnSync(program, [...first, '-o', 'Dpkg::Use-Pty=0', ...args], {
      // The names of the packages are enough. The output is shown when it fails.
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  console.log(`Installing for the tests: ${packages.join(' ')}`)
  apt('update', '-qq')
  const { status, stdout, stderr } = apt(...install, ...packages)
  if (status !== 0) console.error(`${stdout}${stderr}`)
}

function installLine(): string | undefined {
  if (process.platform === 'darwin') return commandLine('brew install', packagesFor('homebrew'))
  if (succeeds('apt-get', '--version'))
    return commandLine('sudo apt-get install -y --no-install-recommends', packagesFor('debian'))
  return undefined
}

const commandLine = (command: string, packages: readonly string[]) =>
  packages.length > 0 ? `${command} ${packages.join(' ')}` : undefined
