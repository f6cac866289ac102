import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../loopback.ts'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'
import { npm, run } from './run.ts'

/** A package as a release packs it. */
export interface PackedPackage {
  readonly tarball: string
  /** The folder with what the tarball contains. Link its files rather than copy them. */
  readonly folder: string
}

/** The packed packages by their names, such as `@genmount/core`. */
export type PackedPackages = Readonly<Record<string, PackedPackage>>

/** The variable with the address at which the workers of a run ask for the packages. */
const askAt = 'GENMOUNT_TEST_PACKAGES'

/** Packs all published packages. Run `npm run build` first. */
async function pack(root: string): Promise<PackedPackages> {
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

/** Lets all test files of a run share the packed packages. They are packed when the first file asks for them. */
export default async function offerPackages(): Promise<() => Promise<void>> {
  const root = mkdtempSync(join(tmpdir(), 'genmount-packages-'))
  let packages: Promise<PackedPackages> | undefined
  const { origin, stop } = await listen((_request, response) => {
    packages ??= pack(root)
    packages.then(
      (all) => response.end(JSON.stringify(all)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  process.env[askAt] = origin
  return async () => {
    await stop()
    await packages?.catch(() => {})
    rmSync(root, { recursive: true, force: true })
  }
}

/** The packages as the run has packed them. */
export async function packedPackages(): Promise<PackedPackages> {
  const answer = await fetch(process.env[askAt] ?? '')
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as PackedPackages
}
