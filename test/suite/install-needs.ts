import type { Command } from '../processes/launch.ts'
import { runProgram } from '../processes/run-program.ts'
import { type SystemNeed, missingNeeds, succeeds, systemNeeds } from './system-needs.ts'

/**
 * Installs what the tests need from the system and is missing: on Debian and Ubuntu as root, or with a `sudo` that asks
 * for no password. Elsewhere it prints the command to run, and the tests that need what is missing are skipped.
 * @returns whether the run can go on: with the variable `CI` set, nothing may be missing
 */
export async function installNeeds(): Promise<boolean> {
  const isDebian = await succeeds('apt-get', '--version')
  const packages = await packagesFor('debian')
  if (isDebian && packages.length > 0) await installPackages(packages)
  const missing = await missingNeeds()
  if (missing.length === 0) return true
  for (const name of missing) console.log(`Missing: ${name}, for ${systemNeeds[name].usedFor}`)
  const command = await installCommand(isDebian)
  if (command !== undefined) console.log(`This command installs it: ${command}`)
  if (!process.env['CI']) return true
  console.error('The variable CI is set, so nothing may be missing.')
  return false
}

async function packagesFor(system: 'debian' | 'homebrew'): Promise<string[]> {
  return (await missingNeeds()).flatMap((name) => (systemNeeds[name] as SystemNeed)[system] ?? [])
}

async function installPackages(packages: readonly string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && !(await succeeds('sudo', '-n', 'true'))) return
  // sudo passes none of our variables on.
  const apt: Command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  const first: Command = isRoot ? apt : ['sudo', '-n', ...apt]
  const aptGet = (...args: string[]) => runProgram([...first, '-qq', ...args], { timeoutMs: 600_000 })
  const install = (...names: string[]) => aptGet('install', '-y', '--no-install-recommends', ...names)
  console.log(`Installing for the tests: ${packages.join(' ')}`)
  await aptGet('update')
  if ((await install(...packages)).exit === 0) return
  // One package that this release of the system does not have keeps the others from being installed.
  for (const name of packages) {
    const { exit, stdout, stderr } = await install(name)
    if (exit !== 0) console.error(`${name} could not be installed:\n${stdout}${stderr}`)
  }
}

async function installCommand(isDebian: boolean): Promise<string | undefined> {
  const system = isDebian ? 'debian' : 'homebrew'
  const packages = await packagesFor(system)
  if (packages.length === 0) return undefined
  if (isDebian) return `sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`
  return process.platform === 'darwin' ? `brew install ${packages.join(' ')}` : undefined
}
