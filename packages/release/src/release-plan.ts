import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, ReleaseStopped, succeed } from './release-npm.ts'

/** A package as it is about to be published. */
export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** The folder of its source, such as `packages/core`. */
  readonly place: string
  /** The file name of the tarball, without its folder. */
  readonly filename: string
  /** The hash of the tarball, in the form that npm registries use (Subresource Integrity). */
  readonly integrity: string
}

interface Manifest {
  readonly name: string
  readonly place: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Packs all packages that are not private. @returns the packages, each after the ones that it depends on */
export async function pack(folder: string): Promise<PackedPackage[]> {
  const manifests = inOrder(manifestsToPublish())
  const workspaces = manifests.map(({ name }) => `--workspace=${name}`)
  const packed = await succeed(
    ['pack', ...workspaces, '--json', '--ignore-scripts', '--pack-destination', folder],
    'pipe',
  )
  const entries = Object.values<Omit<PackedPackage, 'place'>>(JSON.parse(packed))
  return manifests.map(({ name, place }) => {
    const entry = entries.find((candidate) => candidate.name === name)
    if (!entry) throw new ReleaseStopped(`npm pack has made no tarball of ${name}.`)
    return { ...entry, place }
  })
}

function manifestsToPublish(): Manifest[] {
  return readdirSync('packages')
    .map((folder) => `packages/${folder}`)
    .map((place): Manifest => ({
      ...JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')),
      place,
    }))
    .filter((manifest) => !manifest.private)
}

function inOrder(manifests: readonly Manifest[]): Manifest[] {
  const ordered = new Set<Manifest>()
  function visit(manifest: Manifest): void {
    if (ordered.has(manifest)) return
    manifests.filter(({ name }) => manifest.dependencies?.[name] !== undefined).forEach(visit)
    ordered.add(manifest)
  }
  manifests.forEach(visit)
  return [...ordered]
}

/**
 * Whether the registry already has this version, because an earlier release stopped halfway.
 * @throws ReleaseStopped when the registry has this version with other content: the packages of one version must all be built
 *   from the same state of the source
 */
export async function isPublished({ name, version, integrity }: PackedPackage): Promise<boolean> {
  const { stdout } = await npm(
    ['view', `${name}@${version}`, 'dist.integrity', '--json', '--loglevel=silent'],
    'pipe',
  )
  const answer = stdout.trim() === '' ? undefined : JSON.parse(stdout)
  if (answer === undefined || answer.error?.code === 'E404') return false
  if (typeof answer !== 'string')
    throw new ReleaseStopped(`npm view ${name}@${version} has failed: ${answer.error?.summary ?? stdout}`)
  if (answer === integrity) return true
  throw new ReleaseStopped(
    `${name} ${version} is published with other content. Raise the version of all packages with a changeset.`,
  )
}
