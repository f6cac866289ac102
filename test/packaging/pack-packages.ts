import { join } from 'node:path'
import { publishedPackages } from '../published-packages.ts'
import { npm } from './run.ts'

const repo = join(import.meta.dirname, '../..')

/**
 * Packs all published packages as a release does. Run `npm run build` first.
 * @returns the path of each tarball, by the name of its package
 */
export function packPackages(folder: string): Map<string, string> {
  const packed = npm(repo, [
    'pack',
    ...publishedPackages.map((name) => `--workspace=@genmount/${name}`),
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ])
  const entries: { name: string; filename: string }[] = Object.values(JSON.parse(packed))
  return new Map(entries.map(({ name, filename }) => [name, join(folder, filename)]))
}
