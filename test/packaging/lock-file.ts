import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Locked {
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The entries of the lock file, by the folder of each package, such as `packages/core` or `node_modules/express`. */
export const lockedPackages: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
).packages

/** The folder of the dependency in the lock file, found as Node resolves `name` from the folder `from`. */
export function placeOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = join(at, 'node_modules', name)
    const { link, resolved } = lockedPackages[place] ?? {}
    if (lockedPackages[place]) return link ? resolved : place
    if (at === '') return undefined
  }
}

/** The folders that npm fills when it installs the package in `start`, with that folder itself. */
export function installedWith(start: string): Set<string> {
  const places = new Set([start])
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      lockedPackages[place] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const dependency = placeOf(name, place)
      if (dependency !== undefined) places.add(dependency)
    }
  }
  return places
}
