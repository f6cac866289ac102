import type { Command } from '../processes/launch.ts'
import { runProgram } from '../processes/run-program.ts'
import { type SystemNeed, type SystemNeedName, missingNeeds, succeeds, systemNeeds } from './system-needs.ts'

/**
 * Installs what the tests need from the system and is missing: on Debian and Ubuntu as root, or with a `sudo` that asks
 * for no password. Elsewhere it prints the command to run, and the tests that need what is missing are skipped.
 * @returns whether the run can go on: with the variable `CI` set, nothing may be missing
 */
export async function installNeeds(): Promise<boolean> {
  const isDebian = await succeeds('apt-get', '--version')
  const packagesOf = (names: readonly SystemNeedName[]) =>
    names.flatMap((name) => (systemNeeds[name] as SystemNeed)[isDebian ? 'debian' : 'homebrew'] ?? [])
  if (isDebian) await installPackages(packagesOf(await missingNeeds()))
  const missing = await missingNeeds()
  if (missing.length === 0) return true
  for (const name of missing) console.log(`Missing: ${name}, for ${systemNeeds[name].usedFor}`)
  const installable = missing.filter((name) => packagesOf([name]).length > 0)
  const onMac = process.platform === 'darwin' ? 'brew install' : undefined
  const command = isDebian ? ['sudo apt-get', ...installing].join(' ') : onMac
  if (command && installable.length > 0)
    console.log(`To install ${installable.join(', ')}: ${command} ${packagesOf(installable).join(' ')}`)
  if (!process.env['CI']) {
    console.log('The tests that need what is missing are skipped.')
    return true
  }
  console.error('The variable CI is set, so nothing may be missing.')
  return false
}

const installing = ['install', '-y', '--no-install-recommends']

async function installPackages(packages: readonly string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0
  if (packages.length === 0 || (!isRoot && !(await succeeds('sudo', '-n', 'true')))) return
  // sudo passes none of our variables on.
  const apt: Command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  const first: Command = isRoot ? apt : ['sudo', '-n', ...apt]
  const aptGet = (...args: string[]) => runProgram([...first, '-qq', ...args], { timeoutMs: 600_000 })
  const install = (...names: string[]) => aptGet(...installing, ...names)
  console.log(`Installing for the tests: ${packages.join(' ')}`)
  await aptGet('update')
  if ((await install(...packages)).exit === 0) return
  // One package that this release of the system does not have keeps the others from being installed.
  for (const name of packages) {
    const { exit, stdout, stderr } = await install(name)
    if (exit !== 0) console.error(`${name} could not be installed:\n${stdout}${stderr}`)
  }
}
