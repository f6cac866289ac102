import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { npmCommand } from '../../packages/release/src/release-npm.ts'
import { listen } from '../loopback.ts'
import { outputOf, runProgram } from '../processes/run-program.ts'
import { startPackageRegistry } from './package-registry.ts'

const program = join(import.meta.dirname, '../../packages/release/src/release.ts')

const root = mkdtempSync(join(tmpdir(), 'genmount-release-test-'))
afterAll(() => rmSync(root, { recursive: true }))

type AuditAnswer = readonly [status: number, body: object]
const clean: AuditAnswer = [200, {}]
const advisory = { id: 1, url: 'https://example.test/1', title: 'Reads all', vulnerable_versions: '<2' }
const finding = (severity: string): AuditAnswer => [200, { 'some-thing': [{ ...advisory, severity }] }]

/** The integrity hash of each package that the registry already has in version 0.1.0, by the name of the package. */
type Published = Readonly<Record<string, string>>

/** Starts a registry. `requests` has all requests it has received except GETs. */
async function registry([status, body]: AuditAnswer, published: Published) {
  const requests: string[] = []
  const { origin, stop } = await listen((request, reply) => {
    const answer = request.method === 'GET' ? packageAnswer(request.url ?? '', published) : { status, body }
    if (request.method !== 'GET') requests.push(`${request.method} ${request.url}`)
    reply.writeHead(answer.status, { 'content-type': 'application/json' })
    request.resume().on('end', () => reply.end(JSON.stringify(answer.body)))
  })
  return { requests, host: new URL(origin).host, stop }
}

function packageAnswer(path: string, published: Published) {
  const name = decodeURIComponent(path.slice(1))
  const integrity = published[name]
  if (integrity === undefined) return { status: 404, body: {} }
  const version = '0.1.0'
  const dist = { integrity, tarball: 'http://127.0.0.1:1/none.tgz' }
  const versions = { [version]: { name, version, dist } }
  return { status: 200, body: { name, 'dist-tags': { latest: version }, versions } }
}

/** A monorepo with one private package and two to publish: `shown` and `under`. `shown` depends on `under`. */
function repository(): string {
  const folder = mkdtempSync(join(root, 'repository-'))
  const write = (path: string, content: object) => writeFileSync(join(folder, path), JSON.stringify(content))
  const dependencies = { 'some-thing': '1.0.0', '@genmount/under': '0.1.0' }
  const devDependencies = { 'some-tool': '1.0.0' }
  const shared = { version: '0.1.0', dependencies }
  for (const name of ['shown', 'hidden', 'under'])
    mkdirSync(join(folder, 'packages', name), { recursive: true })
  const scripts = { build: `node -e "fs.writeFileSync('packages/shown/built.js', '')"` }
  write('package.json', { name: 'root', private: true, workspaces: ['packages/*'], scripts, devDependencies })
  write('packages/shown/package.json', { name: '@genmount/shown', ...shared, files: ['built.js'] })
  write('packages/under/package.json', { name: '@genmount/under', version: '0.1.0' })
  write('packages/hidden/package.json', { name: '@genmount/hidden', version: '0.1.0', private: true })
  write('package-lock.json', {
    name: 'root',
    lockfileVersion: 3,
    packages: {
      '': { name: 'root', workspaces: ['packages/*'], devDependencies },
      'node_modules/@genmount/shown': { resolved: 'packages/shown', link: true },
      'node_modules/@genmount/hidden': { resolved: 'packages/hidden', link: true },
      'node_modules/@genmount/under': { resolved: 'packages/under', link: true },
      'node_modules/some-thing': { version: '1.0.0', integrity: 'sha512-b3RoZXI=' },
      'node_modules/some-tool': { version: '1.0.0', integrity: 'sha512-b3RoZXI=', dev: true },
      'packages/shown': { name: '@genmount/shown', ...shared },
      'packages/hidden': { name: '@genmount/hidden', version: '0.1.0' },
      'packages/under': { name: '@genmount/under', version: '0.1.0' },
    },
  })
  return folder
}

/** The integrity hash of the tarball of a package that needs no build. */
async function integrityOf(name: string): Promise<string> {
  const pack = [...npmCommand(), 'pack', '--json', '--dry-run', `--workspace=packages/${name}`] as const
  const printed = await outputOf(pack, { cwd: repository() })
  const [entry] = Object.values<{ integrity: string }>(JSON.parse(printed))
  return entry?.integrity ?? ''
}

interface Circumstances {
  readonly audit?: AuditAnswer
  readonly args?: readonly string[]
  readonly published?: Published
  readonly env?: Readonly<Record<string, string>>
  /** Further lines of `.npmrc`. */
  readonly npmrc?: string
}

async function release({
  audit = clean,
  args = [],
  published = {},
  env = {},
  npmrc = '',
}: Circumstances = {}) {
  const { requests, host, stop } = await registry(audit, published)
  const cwd = repository()
  writeFileSync(join(cwd, '.npmrc'), `registry=http://${host}/\n//${host}/:_authToken=token\n${npmrc}`)
  // The npm configuration of the person who runs the tests must not count.
  const settings = { userconfig: join(cwd, 'none'), cache: join(cwd, 'cache'), fetch_retries: '0' }
  const { npm_execpath: npm } = process.env
  const { exit, stdout, stderr } = await runProgram([process.execPath, program, ...args], {
    cwd,
    env: {
      ...(npm !== undefined && { npm_execpath: npm }),
      ...env,
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])),
    },
  })
  await stop()
  const output = stdout + stderr
  const packages = [...output.matchAll(/^npm publish \S+genmount-(\w+)-/gm)].map(([, name]) => name)
  const { repository: address } = JSON.parse(readFileSync(join(cwd, 'packages/shown/package.json'), 'utf8'))
  return { exit, output, requests, packages, address, cwd }
}

const auditRequest = 'POST /-/npm/v1/security/advisories/bulk'

describe('npm run release without a known vulnerability', () => {
  let clean: Awaited<ReturnType<typeof release>>
  beforeAll(async () => void (clean = await release({ args: ['--output', 'kept'] })))

  test('takes all steps, and publishes nothing without --publish', () => {
    const { exit, output, requests } = clean
    expect(output).toContain('npm audit finds nothing high or critical.')
    expect(output).toMatch(
      /^npm publish \S+genmount-shown-0\.1\.0\.tgz --access=public --provenance --dry-run$/m,
    )
    expect(output).toContain('built.js')
    expect(output).not.toContain('hidden')
    expect(output).toContain('Nothing was published')
    expect({ exit, requests }).toEqual({ exit: 0, requests: [auditRequest] })
  })

  test('prints which version of each package goes out in which tarball', () => {
    for (const name of ['shown', 'under'])
      expect(clean.output).toMatch(
        new RegExp(`^@genmount/${name} 0\\.1\\.0 in genmount-${name}-0\\.1\\.0\\.tgz`, 'm'),
      )
  })

  test('publishes what a package depends on before the package, so that every published package can be installed', () => {
    expect(clean.packages).toEqual(['under', 'shown'])
  })

  test('keeps the tarballs and a list of all that is installed with them, without tools of the developers', () => {
    const kept = join(clean.cwd, 'kept')
    const tarballs = ['genmount-shown-0.1.0.tgz', 'genmount-under-0.1.0.tgz']
    expect(readdirSync(kept).toSorted()).toEqual([...tarballs, 'genmount.cdx.json'])
    const { components } = JSON.parse(readFileSync(join(kept, 'genmount.cdx.json'), 'utf8'))
    const hashes = Object.fromEntries(
      components.map(({ purl, hashes: [{ content }] }: { purl: string; hashes: [{ content: string }] }) => [
        purl,
        content,
      ]),
    )
    const sha512 = (file: string) => hash('sha512', readFileSync(join(kept, file)))
    expect(hashes).toEqual({
      'pkg:npm/%40genmount/shown@0.1.0': sha512(tarballs[0]!),
      'pkg:npm/%40genmount/under@0.1.0': sha512(tarballs[1]!),
      'pkg:npm/some-thing@1.0.0': Buffer.from('other').toString('hex'),
    })
  })

  test('names no repository in the packages when it does not run at GitHub', () => {
    expect(clean.address).toBeUndefined()
  })
})

describe('npm run release with a moderate vulnerability, after a release that broke off', () => {
  let resumed: Awaited<ReturnType<typeof release>>
  beforeAll(async () => {
    resumed = await release({
      audit: finding('moderate'),
      published: { '@genmount/under': await integrityOf('under') },
    })
  })

  test('publishes only what is not published yet', () => {
    expect(resumed.output).toMatch(/^@genmount\/under 0\.1\.0 is published already\.$/m)
    expect(resumed.packages).toEqual(['shown'])
  })

  test('goes on with the vulnerability that is moderate', () => {
    const { exit, output, requests } = resumed
    expect(output).toContain('npm audit finds nothing high or critical.')
    expect(output).toContain('Nothing was published')
    expect({ exit, requests }).toEqual({ exit: 0, requests: [auditRequest] })
  })
})

test.each(['high', 'critical'])(
  'npm run release stops at a %s vulnerability before anything is built or published',
  async (severity) => {
    const { exit, output, requests } = await release({ audit: finding(severity), args: ['--publish'] })
    expect(output).toContain(`The release stops: npm audit finds some-thing (${severity})`)
    expect(output).not.toContain('npm publish')
    expect({ exit, requests }).toEqual({ exit: 1, requests: [auditRequest] })
  },
)

test('npm run release stops when the registry answers the audit with 500, as it may know of a vulnerability', async () => {
  const { exit, output } = await release({ audit: [500, {}] })
  expect(output).toContain('The release stops: npm audit has failed: 500')
  expect(output).not.toContain('npm publish')
  expect(exit).toBe(1)
})

const warning = 'WARNING: nobody has looked for known vulnerabilities'

describe('npm run release -- --publish at GitHub, with a registry that answers audits with 404', () => {
  let unproven: Awaited<ReturnType<typeof release>>
  beforeAll(async () => {
    unproven = await release({
      audit: [404, {}],
      args: ['--publish'],
      env: { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'somebody/genmount' },
    })
  })

  test('warns that nobody has looked for vulnerabilities, and goes on', () => {
    expect(unproven.output).toContain(warning)
    expect(unproven.packages).toEqual(['under'])
  })

  test('names the repository in each package', () => {
    const url = 'git+https://github.example/somebody/genmount.git'
    expect(unproven.address).toMatchObject({ type: 'git', url })
  })

  test('publishes nothing from a machine that can give no proof of where it builds', () => {
    const { exit, output, requests } = unproven
    expect(output).toMatch(/provenance/i)
    expect(output).toMatch(
      /^The release stops: npm publish \S+ --access=public --provenance ended with 1\.$/m,
    )
    expect({ exit, requests }).toEqual({ exit: 1, requests: [auditRequest] })
  })
})

test('npm run release -- --publish stops when a version is published with other content, and leaves that version as it is, also when the registry answers audits with 405', async () => {
  const { exit, output, packages, requests } = await release({
    audit: [405, {}],
    args: ['--publish'],
    published: { '@genmount/under': 'sha512-b3RoZXI=' },
  })
  expect(output).toContain(warning)
  expect(output).toMatch(/^The release stops: @genmount\/under 0\.1\.0 is published with other content\./m)
  expect({ exit, packages, requests }).toEqual({ exit: 1, packages: [], requests: [auditRequest] })
})

test('npm run release -- --rehearse publishes all packages to a registry on this machine without a proof of origin, whatever registry npm has in its settings', async () => {
  const registry = await startPackageRegistry()
  onTestFinished(registry.stop)
  const { exit, output, requests, packages } = await release({
    args: ['--rehearse', registry.url],
    npmrc: registry.login,
  })
  expect({ exit, requests, packages }).toEqual({ exit: 0, requests: [], packages: ['under', 'shown'] })
  expect(registry.published).toEqual(['@genmount/under', '@genmount/shown'])
  expect(output).toContain(`All packages are in the registry ${registry.url}.`)
})

test.each([
  [
    ['--rehearse', 'https://registry.npmjs.org/'],
    '--rehearse takes the address of a registry on this machine',
  ],
  [['--rehearse', 'here'], '--rehearse takes the address of a registry on this machine'],
  [['--rehearse', 'http://127.0.0.1:1', '--publish'], '--publish and --rehearse exclude each other.'],
])('npm run release -- %j stops before anything is built', async (args, reason) => {
  const { exit, output, requests } = await release({ args })
  expect(output).toContain(`The release stops: ${reason}`)
  expect({ exit, requests }).toEqual({ exit: 1, requests: [] })
})
