import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'

/** The image that a reader of the example builds. It comes from no registry. */
const builtByReader = 'genmount-app'

const exclude = ['**/node_modules/**', '**/.next/**']
const files = [
  ...globSync('.github/workflows/*.{yml,yaml}', { cwd: repo }),
  ...globSync(['**/{action,*compose*}.{yml,yaml}', '**/{Dockerfile,Containerfile}*'], { cwd: repo, exclude }),
]

/** What the file takes from elsewhere: actions, and images of jobs, services and stages. */
function sourcesIn(text: string): readonly string[] {
  const named = text.matchAll(
    /^[ \t-]*(?:uses|image|container):[ \t]*(?<source>[^\s#]+)|^FROM[ \t]+(?:--\S+[ \t]+)?(?<base>\S+)/gim,
  )
  return [...named].map(({ groups = {} }) =>
    (groups['source'] ?? groups['base'] ?? '').replace(/^['"]|['"]$/g, ''),
  )
}

const isPinned = (source: string) =>
  source.startsWith('./') ||
  /^[\w./-]+@[\da-f]{40}$/.test(source) ||
  /^[\w.:/-]+@sha256:[\da-f]{64}$/.test(source)

test('the search for actions and images finds each of their spellings', () => {
  const text = [
    '  - uses: actions/checkout@v7',
    "    uses: 'a/b@v1' # v1",
    '    container: node:24',
    '      image: postgres:18',
    'FROM --platform=linux/amd64 node:24 AS build',
    'from debian',
    '# image: none',
  ].join('\n')
  expect(sourcesIn(text)).toEqual([
    'actions/checkout@v7',
    'a/b@v1',
    'node:24',
    'postgres:18',
    'node:24',
    'debian',
  ])
  expect(sourcesIn(text).filter(isPinned)).toEqual([])
})

test('every action and every image of the repository is pinned by its digest, so that nobody can replace it', () => {
  expect(files.map((file) => basename(file))).toEqual(
    expect.arrayContaining(['ci.yml', 'release.yml', 'compose.yaml']),
  )
  const loose = files.flatMap((file) =>
    sourcesIn(readFileSync(join(repo, file), 'utf8'))
      .filter((source) => source !== builtByReader && !isPinned(source))
      .map((source) => `${file}: ${source}`),
  )
  expect(loose).toEqual([])
})

test('every action that is pinned has its version beside it', () => {
  const workflows = files.filter((file) => file.includes('workflows'))
  const uses = workflows.flatMap((file) => readFileSync(join(repo, file), 'utf8').match(/\buses:.*/g) ?? [])
  expect(uses.filter((line) => !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
})

const release = () => readFileSync(join(repo, '.github/workflows/release.yml'), 'utf8')

test('the release workflow publishes with the proof of origin of npm, and has no more rights than it needs', () => {
  const [head = '', publish = ''] = release().split(/^ {2}(?=publish:$)/m)
  expect(head).toMatch(/^permissions: \{\}$/m)
  expect(publish).toMatch(/^ {6}id-token: write$/m)
  expect(publish).not.toContain('contents: write')
  expect(publish).toContain('npm run release -- --publish')
  expect(release()).not.toMatch(/pull_request/)
})

test('the release workflow signs that the list of parts belongs to the tarballs, and keeps both', () => {
  const text = release()
  const [folder] = /--publish --output "\$RUNNER_TEMP\/(\w+)"/.exec(text)?.slice(1) ?? []
  const place = `\${{ runner.temp }}/${folder}`
  expect(text).toMatch(/^ {6}attestations: write$/m)
  expect(text).toMatch(/uses: actions\/attest@/)
  expect(text).toContain(`subject-path: ${place}/*.tgz\n          sbom-path: ${place}/genmount.cdx.json\n`)
  expect(text).toMatch(/uses: actions\/upload-artifact@/)
  expect(text).toContain(`path: ${place}\n`)
})
