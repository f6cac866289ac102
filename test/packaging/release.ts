import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { npm, ReleaseStopped, succeed } from './release-npm.ts'
import { isPublished, pack, type PackedPackage } from './release-plan.ts'

/**
 * `npm run release` goes through a release and publishes nothing; `npm run release -- --publish` publishes. What is published
 * bears npm's proof of where it was built, which only a workflow at GitHub or GitLab can give. A run after one that broke off
 * publishes what is not published yet.
 */
const { publish: isForReal = false } = parseArgs({ options: { publish: { type: 'boolean' } } }).values

/** What a registry answers to whom it has nothing to say about vulnerabilities: not found, not allowed, not implemented. */
const withoutAudits = [404, 405, 501]

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
  readonly statusCode?: number
}

/** Whoever installs a package installs what it depends on, too. */
function audit(): void {
  const { stdout } = npm(['audit', '--omit=dev', '--json'], 'pipe')
  const { vulnerabilities, message, statusCode = 0 }: AuditReport = JSON.parse(stdout || '{}')
  if (vulnerabilities) {
    const grave = Object.entries(vulnerabilities).filter(([, { severity }]) => /high|critical/.test(severity))
    if (grave.length === 0) return console.log('npm audit finds nothing high or critical.')
    const found = grave.map(([name, { severity }]) => `${name} (${severity})`).join(', ')
    throw new ReleaseStopped(`npm audit finds ${found}. Take a release without it, or another dependency.`)
  }
  if (!withoutAudits.includes(statusCode))
    throw new ReleaseStopped(`npm audit has failed: ${message ?? 'see above'}.`)
  console.warn(
    `WARNING: nobody has looked for known vulnerabilities, because the registry does not: ${message}`,
  )
}

/**
 * npm checks its proof of origin against `repository` in each `package.json`. The workflow that publishes knows where it runs,
 * so nobody has to write the address down in twenty files.
 */
function nameRepository(): void {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env
  if (!server || !path) return
  const url = `git+${server}/${path}.git`
  succeed(['pkg', 'set', 'repository.type=git', `repository.url=${url}`, '--workspaces'], 'pipe')
  console.log(`repository: ${url}`)
}

function publish({ filename }: PackedPackage): void {
  const file = join(folder, filename)
  const args = ['publish', file, '--access=public', '--provenance', ...(isForReal ? [] : ['--dry-run'])]
  console.log(`npm ${args.join(' ')}`)
  succeed(args)
}

const folder = mkdtempSync(join(tmpdir(), 'genmount-release-'))
try {
  audit()
  succeed(['run', 'build'])
  nameRepository()
  const packages = pack(folder)
  for (const { name, version, filename } of packages) console.log(`${name} ${version} in ${filename}`)
  const published = new Set(packages.filter(isPublished))
  for (const { name, version } of published) console.log(`${name} ${version} is published already.`)
  packages.filter((one) => !published.has(one)).forEach(publish)
  if (!isForReal) console.log('Nothing was published: that takes npm run release -- --publish.')
} catch (error) {
  if (!(error instanceof ReleaseStopped)) throw error
  console.error(`The release stops: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
