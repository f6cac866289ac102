import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run release` goes through a release and publishes nothing; `npm run release -- --publish` publishes. What is published
 * bears npm's proof of where it was built, which only a workflow at GitHub or GitLab can give.
 */
const { publish: isForReal = false } = parseArgs({ options: { publish: { type: 'boolean' } } }).values

/** What a registry answers to whom it has nothing to say about vulnerabilities: not found, not allowed, not implemented. */
const withoutAudits = [404, 405, 501]

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
  readonly message?: string
  readonly statusCode?: number
}

class ReleaseStopped extends Error {}

/** Runs npm in the current folder. Under `npm run` npm tells where its program is; elsewhere it is the one on the PATH. */
function npm(args: readonly string[], stdout: 'inherit' | 'pipe' = 'inherit') {
  const program = process.env['npm_execpath']
  const [command, first] = program ? [process.execPath, [program]] : ['npm', []]
  const stdio = ['ignore' as const, stdout, 'inherit' as const]
  return spawnSync(command, [...first, ...args], { stdio, encoding: 'utf8', maxBuffer: 1e8 })
}

function succeed(args: readonly string[], stdout?: 'pipe'): string {
  const { status, stdout: text } = npm(args, stdout)
  if (status !== 0) throw new ReleaseStopped(`npm ${args.join(' ')} ended with ${status}.`)
  return text
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

/** @returns the files to publish, of all packages that are not private */
function pack(folder: string): string[] {
  const isPublic = (name: string) =>
    !JSON.parse(readFileSync(join('packages', name, 'package.json'), 'utf8')).private
  const workspaces = readdirSync('packages')
    .filter(isPublic)
    .map((name) => `--workspace=packages/${name}`)
  const packed = succeed(
    ['pack', ...workspaces, '--json', '--ignore-scripts', '--pack-destination', folder],
    'pipe',
  )
  const entries: { filename: string }[] = Object.values(JSON.parse(packed))
  return entries.map(({ filename }) => join(folder, filename))
}

function publish(file: string): void {
  const args = ['publish', file, '--access=public', '--provenance', ...(isForReal ? [] : ['--dry-run'])]
  console.log(`npm ${args.join(' ')}`)
  succeed(args)
}

const folder = mkdtempSync(join(tmpdir(), 'genmount-release-'))
try {
  audit()
  succeed(['run', 'build'])
  pack(folder).forEach(publish)
  if (!isForReal) console.log('Nothing was published: that takes npm run release -- --publish.')
} catch (error) {
  if (!(error instanceof ReleaseStopped)) throw error
  console.error(`The release stops: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
