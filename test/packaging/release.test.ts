import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = join(import.meta.dirname, 'release.ts')

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
  const server = createServer((request, reply) => {
    const answer = request.method === 'GET' ? packageAnswer(request.url ?? '', published) : { status, body }
    if (request.method !== 'GET') requests.push(`${request.method} ${request.url}`)
    reply.writeHead(answer.status, { 'content-type': 'application/json' })
    request.resume().on('end', () => reply.end(JSON.stringify(answer.body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => void server.close().closeAllConnections()
  return { requests, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close }
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
  const shared = { version: '0.1.0', dependencies }
  for (const name of ['shown', 'hidden', 'under'])
    mkdirSync(join(folder, 'packages', name), { recursive: true })
  const scripts = { build: `node -e "fs.writeFileSync('packages/shown/built.js', '')"` }
  write('package.json', { name: 'root', private: true, workspaces: ['packages/*'], scripts })
  write('packages/shown/package.json', { name: '@genmount/shown', ...shared, files: ['built.js'] })
  write('packages/under/package.json', { name: '@genmount/under', version: '0.1.0' })
  write('packages/hidden/package.json', { name: '@genmount/hidden', version: '0.1.0', private: true })
  write('package-lock.json', {
    name: 'root',
    lockfileVersion: 3,
    packages: {
      '': { name: 'root', workspaces: ['packages/*'] },
      'node_modules/@genmount/shown': { resolved: 'packages/shown', link: true },
      'node_modules/@genmount/hidden': { resolved: 'packages/hidden', link: true },
      'node_modules/@genmount/under': { resolved: 'packages/under', link: true },
      'node_modules/some-thing': { version: '1.0.0' },
      'packages/shown': { name: '@genmount/shown', ...shared },
      'packages/hidden': { name: '@genmount/hidden', version: '0.1.0' },
      'packages/under': { name: '@genmount/under', version: '0.1.0' },
    },
  })
  return folder
}

/** The integrity hash of the tarball of a package that needs no build. */
function integrityOf(name: string): string {
  const [npm, ...args] = [process.env['npm_execpath'] ?? 'npm', 'pack', '--json', '--dry-run']
  const [command, first] = npm === 'npm' ? ['npm', []] : [process.execPath, [npm]]
  const { stdout } = spawnSync(command, [...first, ...args, `--workspace=packages/${name}`], {
    cwd: repository(),
    encoding: 'utf8',
  })
  const [entry] = Object.values<{ integrity: string }>(JSON.parse(stdout))
  return entry?.integrity ?? ''
}

async function release(
  answer: AuditAnswer,
  args: readonly string[] = [],
  published: Published = {},
  environment: NodeJS.ProcessEnv = {},
) {
  const { requests, host, close } = await registry(answer, published)
  const cwd = repository()
  writeFileSync(join(cwd, '.npmrc'), `registry=http://${host}/\n//${host}/:_authToken=token\n`)
  // The npm configuration of the person who runs the tests must not count, nor a build service that could make a provenance
  // statement.
  const settings = { userconfig: join(cwd, 'none'), cache: join(cwd, 'cache'), fetch_retries: '0' }
  const env = {
    PATH: process.env['PATH'],
    npm_execpath: process.env['npm_execpath'],
    ...environment,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])),
  }
  const child = spawn(process.execPath, [program, ...args], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  close()
  const given = [...output.matchAll(/^npm publish \S+genmount-(\w+)-/gm)].map(([, name]) => name)
  return { status, output, requests, given, cwd }
}

/** A release in which nothing goes wrong. Several tests check its parts. */
let cleanRelease: Awaited<ReturnType<typeof release>>
beforeAll(async () => void (cleanRelease = await release(clean)))

const audit = 'POST /-/npm/v1/security/advisories/bulk'

test.each([
  ['no vulnerability', async () => cleanRelease],
  ['none above moderate', () => release(finding('moderate'))],
])(
  'a release of which the registry knows %s is gone through, and publishes nothing unless told to',
  async (_what, gone) => {
    const { status, output, requests } = await gone()
    expect(output).toContain('npm audit finds nothing high or critical.')
    expect(output).toMatch(
      /^npm publish \S+genmount-shown-0\.1\.0\.tgz --access=public --provenance --dry-run$/m,
    )
    expect(output).toContain('built.js')
    expect(output).not.toContain('hidden')
    expect(output).toContain('Nothing was published')
    expect({ status, requests }).toEqual({ status: 0, requests: [audit] })
  },
)

test.each(['high', 'critical'])(
  'a release with a vulnerability that is %s stops before anything is built or published',
  async (severity) => {
    const { status, output, requests } = await release(finding(severity), ['--publish'])
    expect(output).toContain(`The release stops: npm audit finds some-thing (${severity})`)
    expect(output).not.toContain('npm publish')
    expect({ status, requests }).toEqual({ status: 1, requests: [audit] })
  },
)

test.each([404, 405])(
  'a registry that answers audits with %i is told of, and the release goes on',
  async (code) => {
    const { status, output } = await release([code, {}])
    expect(output).toContain('WARNING: nobody has looked for known vulnerabilities')
    expect(output).toContain('Nothing was published')
    expect(status).toBe(0)
  },
)

test('a release stops where the registry fails to answer an audit, as it may know of something', async () => {
  const { status, output } = await release([500, {}])
  expect(output).toContain('The release stops: npm audit has failed: 500')
  expect(output).not.toContain('npm publish')
  expect(status).toBe(1)
})

test('a machine that can give no proof of where it builds publishes nothing', async () => {
  const { status, output, requests } = await release(clean, ['--publish'])
  expect(output).toMatch(/provenance/i)
  expect(output).toMatch(/^The release stops: npm publish \S+ --access=public --provenance ended with 1\.$/m)
  expect({ status, requests }).toEqual({ status: 1, requests: [audit] })
})

test('a release says which version of each package goes out in which tarball', async () => {
  const { output } = cleanRelease
  for (const name of ['shown', 'under'])
    expect(output).toMatch(
      new RegExp(`^@genmount/${name} 0\\.1\\.0 in genmount-${name}-0\\.1\\.0\\.tgz`, 'm'),
    )
})

test('a release at GitHub names the repository in each package, and elsewhere in none', async () => {
  const manifestOf = (cwd: string) =>
    JSON.parse(readFileSync(join(cwd, 'packages/shown/package.json'), 'utf8'))
  const GITHUB = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'somebody/genmount' }
  const there = await release(clean, [], {}, GITHUB)
  expect(manifestOf(there.cwd)).toMatchObject({
    repository: { type: 'git', url: 'git+https://github.example/somebody/genmount.git' },
  })
  expect(there.status).toBe(0)
  expect(manifestOf(cleanRelease.cwd)).not.toHaveProperty('repository')
})

test('what a package depends on is published before it, so that a release that breaks off leaves none that can not be installed', async () => {
  expect(cleanRelease.given).toEqual(['under', 'shown'])
})

test('a release that broke off goes on with what is not published yet', async () => {
  const { status, output, given } = await release(clean, [], { '@genmount/under': integrityOf('under') })
  expect(output).toMatch(/^@genmount\/under 0\.1\.0 is published already\.$/m)
  expect({ status, given }).toEqual({ status: 0, given: ['shown'] })
})

test.each([[[]], [['--publish']]])(
  'a version that is published with other content is left as it is, and the release stops (%j)',
  async (args) => {
    const { status, output, given, requests } = await release(clean, args, {
      '@genmount/under': 'sha512-b3RoZXI=',
    })
    expect(output).toMatch(/^The release stops: @genmount\/under 0\.1\.0 is published with other content\./m)
    expect({ status, given, requests }).toEqual({ status: 1, given: [], requests: [audit] })
  },
)
