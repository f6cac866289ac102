import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
// The file itself, because the package is not built yet.
import { isLoopbackHost } from '../../core/src/addresses/loopback-host.ts'
import { readLockFile } from './lock-file.ts'
import { npm, ReleaseStopped, succeed } from './release-npm.ts'
import { isPublished, pack, type PackedPackage } from './release-plan.ts'
import { sbom } from './sbom.ts'

/**
 * `npm run release` takes all steps of a release and publishes nothing. `npm run release -- --publish` publishes. Each published
 * package carries npm's provenance statement, which says where it was built. Only a workflow at GitHub or GitLab can make that
 * statement. If a release has stopped halfway, the next run publishes the packages that are still missing.
 * `--rehearse <registry>` publishes without that statement, into a registry on this machine.
 * `--output <folder>` keeps the tarballs, and beside them `genmount.cdx.json`, the list of what is installed with them.
 */
const options = {
  publish: { type: 'boolean' },
  rehearse: { type: 'string' },
  output: { type: 'string' },
} as const
const { publish: isForReal = false, rehearse: rehearsalAt, output } = parseArgs({ options }).values

/**
 * The status codes of a registry that has no data about vulnerabilities: not found, method not allowed, and not implemented.
 */
const withoutAudits = [404, 405, 501]

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
  readonly statusCode?: number
}

/** Stops the release if a dependency has a grave known vulnerability: users of a package install its dependencies too. */
async function audit(): Promise<void> {
  const { stdout } = await npm(['audit', '--omit=dev', '--json'], 'pipe')
  const { vulnerabilities, message, statusCode = 0 }: AuditReport = JSON.parse(stdout || '{}')
  if (vulnerabilities) {
    const grave = Object.entries(vulnerabilities).filter(([, { severity }]) => /high|critical/.test(severity))
    if (grave.length === 0) return console.log('npm audit finds nothing high or critical.')
    const names = grave.map(([name, { severity }]) => `${name} (${severity})`).join(', ')
    throw new ReleaseStopped(`npm audit finds ${names}. Take a release without it, or another dependency.`)
  }
  if (!withoutAudits.includes(statusCode))
    throw new ReleaseStopped(`npm audit has failed: ${message ?? 'see above'}.`)
  console.warn(
    `WARNING: nobody has looked for known vulnerabilities, because the registry does not: ${message}`,
  )
}

/**
 * Writes the address of the repository into each `package.json`, because npm compares the provenance statement with it. The
 * workflow that publishes knows the address, so the address need not be kept in twenty files.
 */
async function nameRepository(): Promise<void> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env
  if (!server || !path) return
  const url = `git+${server}/${path}.git`
  await succeed(['pkg', 'set', 'repository.type=git', `repository.url=${url}`, '--workspaces'], 'pipe')
  console.log(`repository: ${url}`)
}

/**
 * Lets npm use the registry of a rehearsal for everything, whatever the settings of this machine say.
 * @throws ReleaseStopped when the registry is not on this machine: what is published elsewhere needs the statement of its
 *   origin, and stays there
 */
function stayAt(registry: string): void {
  if (isForReal) throw new ReleaseStopped('--publish and --rehearse exclude each other.')
  const { protocol, hostname } = URL.parse(registry) ?? {}
  if (!/^https?:$/.test(protocol ?? '') || !isLoopbackHost(hostname ?? ''))
    throw new ReleaseStopped(
      `--rehearse takes the address of a registry on this machine, such as http://127.0.0.1:4873, and not ${registry}.`,
    )
  for (const setting of ['registry', '@genmount:registry']) process.env[`npm_config_${setting}`] = registry
}

async function publish({ filename }: PackedPackage): Promise<void> {
  const file = join(folder, filename)
  const isDry = !isForReal && rehearsalAt === undefined
  const provenance = rehearsalAt === undefined ? '--provenance' : '--provenance=false'
  const args = ['publish', file, '--access=public', provenance, ...(isDry ? ['--dry-run'] : [])]
  console.log(`npm ${args.join(' ')}`)
  await succeed(args)
}

/** Writes down all that is installed with the packages. */
function listParts(packages: readonly PackedPackage[]): void {
  const hashes = new Map(packages.map(({ place, integrity }) => [place, integrity]))
  const document = sbom(readLockFile('.'), hashes)
  const file = join(folder, 'genmount.cdx.json')
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`)
  console.log(`${document.components.length} packages are listed in ${file}`)
}

const folder = output === undefined ? mkdtempSync(join(tmpdir(), 'genmount-release-')) : resolve(output)
try {
  if (rehearsalAt !== undefined) stayAt(rehearsalAt)
  mkdirSync(folder, { recursive: true })
  await audit()
  await succeed(['run', 'build'])
  await nameRepository()
  const packages = await pack(folder)
  for (const { name, version, filename } of packages) console.log(`${name} ${version} in ${filename}`)
  listParts(packages)
  const published = new Set<PackedPackage>()
  for (const one of packages) if (await isPublished(one)) published.add(one)
  for (const { name, version } of published) console.log(`${name} ${version} is published already.`)
  for (const one of packages) if (!published.has(one)) await publish(one)
  if (rehearsalAt !== undefined) console.log(`All packages are in the registry ${rehearsalAt}.`)
  else if (!isForReal) console.log('Nothing was published: that takes npm run release -- --publish.')
} catch (error) {
  if (!(error instanceof ReleaseStopped)) throw error
  console.error(`The release stops: ${error.message}`)
  process.exitCode = 1
} finally {
  if (output === undefined) rmSync(folder, { recursive: true })
}
