import { spawnSync } from 'node:child_process'
import { type SystemNeed, missingNeeds, systemNeeds } from './system-needs.ts'

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

/**
 * Installs what the tests need from the system and is missing: on Debian and Ubuntu as root, or with a `sudo` that asks
 * for no password. Elsewhere it prints the command to run, and the tests that need what is missing are skipped.
 * @returns whether the run can go on: with the variable `CI` set, nothing may be missing
 */
export function installNeeds(): boolean {
  const isDebian = succeeds('apt-get', '--version')
  const packages = packagesFor('debian')
  if (isDebian && packages.length > 0) installPackages(packages)
  const missing = missingNeeds()
  if (missing.length === 0) return true
  for (const name of missing) console.log(`Missing: ${name}, for ${systemNeeds[name].usedFor}`)
  const command = installCommand(isDebian)
  if (command !== undefined) console.log(`This command installs it: ${command}`)
  if (!process.env['CI']) return true
  console.error('The variable CI is set, so nothing may be missing.')
  return false
}

function packagesFor(system: 'debian' | 'homebrew'): string[] {
  return missingNeeds().flatMap((name) => (systemNeeds[name] as SystemNeed)[system] ?? [])
}

function installPackages(packages: readonly string[]): void {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && !succeeds('sudo', '-n', 'true')) return
  // sudo passes none of our variables on.
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  const [program = '', ...first] = isRoot ? apt : ['sudo', '-n', ...apt]
  const aptGet = (...args: string[]) => spawnSync(program, [...first, '-qq', ...args], { encoding: 'utf8' })
  const install = (...names: string[]) => aptGet('install', '-y', '--no-install-recommends', ...names)
  console.log(`Installing for the tests: ${packages.join(' ')}`)
  aptGet('update')
  if (install(...packages).status === 0) return
  // One package that this release of the system does not have keeps the others from being installed.
  for (const name of packages) {
    const { status, stdout, stderr } = install(name)
    if (status !== 0) console.error(`${name} could not be installed:\n${stdout}${stderr}`)
  }
}

function installCommand(isDebian: boolean): string | undefined {
  const system = isDebian ? 'debian' : 'homebrew'
  const packages = packagesFor(system)
  if (packages.length === 0) return undefined
  if (isDebian) return `sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`
  return process.platform === 'darwin' ? `brew install ${packages.join(' ')}` : undefined
}
