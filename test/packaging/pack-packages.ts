import { join } from 'node:path'
import { publishedPackages } from '../published-packages.ts'
import { npm } from './run.ts'

const repo = join(import.meta.dirname, '../..')

/** Packs all packages that are published, as they would be, from what `npm run build` has made. @returns the tarballs, by package */
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
