import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const changesets = dirname(createRequire(import.meta.url).resolve('@changesets/cli/package.json'))

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestsOf = (root: string): Manifest[] =>
  globSync('{packages,examples}/*/package.json', { cwd: root }).map((file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  )

const changelogOf = (root: string, name: string) =>
  readFileSync(join(root, name.replace('@genmount', 'packages'), 'CHANGELOG.md'), 'utf8')

const published = manifestsOf(repo).filter((manifest) => !manifest.private)

test.each(published)('the changelog of $name begins with its version $version', ({ name, version }) => {
  expect(changelogOf(repo, name)).toMatch(new RegExp(`^# ${name}\n\n## ${version}\n`))
})

/** A copy of all manifests and changelogs, with one changeset. */
function withOneChange(): string {
  const root = temporaryFolder()
  const kept = ['package.json', 'package-lock.json', '.changeset/config.json']
  const ofPackages = globSync('{packages,examples}/*/{package.json,CHANGELOG.md}', { cwd: repo })
  for (const file of [...kept, ...ofPackages]) cpSync(join(repo, file), join(root, file))
  mkdirSync(join(root, '.changeset'), { recursive: true })
  writeFileSync(join(root, '.changeset/one.md'), "---\n'@genmount/files-disk': minor\n---\n\nKeep more.\n")
  return root
}

test(
  'a changeset for one package raises all packages to one version, on which they and the examples depend',
  { tags: ['needs/git'] },
  async () => {
    const root = withOneChange()
    const [major, minor] = published[0]?.version.split('.').map(Number) ?? []
    const next = `${major}.${(minor ?? 0) + 1}.0`
    await outputOf(['git', 'init', '--quiet'], { cwd: root })
    await outputOf([process.execPath, join(changesets, 'bin.js'), 'version'], { cwd: root })
    const raised = manifestsOf(root)
    const versions = raised.flatMap(({ name, version, dependencies = {}, private: isPrivate }) => [
      ...(isPrivate ? [] : [[name, version]]),
      ...Object.entries(dependencies).filter(([dependency]) => dependency.startsWith('@genmount/')),
    ])
    expect(versions.filter(([, version]) => version !== next)).toEqual([])
    expect(changelogOf(root, '@genmount/files-disk')).toContain(
      `## ${next}\n\n### Minor Changes\n\n- Keep more.\n`,
    )
  },
)
