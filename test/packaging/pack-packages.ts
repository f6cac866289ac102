import { join } from 'node:path'
import { npm } from './run.ts'

const repo = join(import.meta.dirname, '../..')

/** Packs all packages as they would be published, from what `npm run build` has made. @returns the tarballs, by package */
export function packPackages(folder: string): Map<string, string> {
  const packed = npm(repo, [
    'pack',
    '--workspaces',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ])
  const entries: { name: string; filename: string }[] = Object.values(JSON.parse(packed))
  return new Map(
    entries
      .filter(({ name }) => name.startsWith('@genmount/'))
      .map(({ name, filename }) => [name, join(folder, filename)]),
  )
}
