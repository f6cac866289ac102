import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isBuilt } from '../../packages/release/src/built-sources.ts'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { publishedPackages } from '../published-packages.ts'
import { sharedServer } from '../suite/shared-server.ts'
import { npm, run } from './run.ts'

/** A package as a release packs it. */
export interface PackedPackage {
  readonly tarball: string
  /** The folder with what the tarball contains. Link its files rather than copy them. */
  readonly folder: string
}

/** The packed packages by their names, such as `@genmount/core`. */
export type PackedPackages = Readonly<Record<string, PackedPackage>>

/** Packs all published packages, and builds them first unless they are built. */
async function pack(root: string): Promise<PackedPackages> {
  if (!isBuilt()) await outputOf([process.execPath, 'packages/release/src/build.ts'], { timeoutMs: 600_000 })
  const workspaces = publishedPackages.map((name) => `--workspace=@genmount/${name}`)
  const packed = await npm(repo, [
    'pack',
    ...workspaces,
    '--json',
    '--ignore-scripts',
    `--pack-destination=${root}`,
  ])
  const entries = Object.values<{ name: string; filename: string }>(JSON.parse(packed))
  const all = entries.map(async ({ name, filename }) => {
    const [tarball, folder] = [join(root, filename), join(root, name)]
    mkdirSync(folder, { recursive: true })
    await run(folder, ['tar', '-xzf', tarball, '--strip-components=1', '-C', folder])
    return [name, { tarball, folder }] as const
  })
  return Object.fromEntries(await Promise.all(all))
}

/** Packs the packages into a folder of their own. @returns the URL of the list of them */
export async function startPackedPackages() {
  const root = mkdtempSync(join(tmpdir(), 'genmount-packages-'))
  const stop = async () => rmSync(root, { recursive: true, force: true })
  try {
    const list = join(root, 'packages.json')
    writeFileSync(list, JSON.stringify(await pack(root)))
    return { url: pathToFileURL(list).href, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The packages as the run has packed them. They are packed when the first file asks for them. */
export async function packedPackages(): Promise<PackedPackages> {
  return JSON.parse(readFileSync(new URL(await sharedServer('packages')), 'utf8')) as PackedPackages
}
