import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package in a lock file of npm (https://docs.npmjs.com/cli/configuring-npm/package-lock-json#packages). */
export interface Locked {
  /** The name, if it is not that of the folder. */
  readonly name?: string
  readonly version?: string
  /** The license as SPDX names it, or an expression of several: https://spdx.org/licenses/ */
  readonly license?: string
  /** The hash of the tarball (Subresource Integrity). */
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly hasInstallScript?: boolean
  /** Why nobody should use this version, if its author says so at npm. */
  readonly deprecated?: string
  readonly optional?: boolean
  /** Whether it is optional for users, and also a tool of the developers. */
  readonly devOptional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The entries of a lock file by the folder of each package, such as `packages/core` or `node_modules/express`. */
export type LockedPackages = Readonly<Record<string, Locked>>

/** Reads the lock file in a folder. */
export function readLockFile(folder: string): LockedPackages {
  return JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
}

/** The folder of a dependency in the lock file, found as Node resolves `name` from the folder `from`. */
export function placeOf(locked: LockedPackages, name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const place = join(at, 'node_modules', name)
    const { link, resolved } = locked[place] ?? {}
    if (locked[place]) return link ? resolved : place
    if (at === '') return undefined
  }
}

/**
 * The folders of the packages that npm installs because of the one in `place`: its dependencies, and those of its peers
 * that are not optional.
 */
export function dependenciesOf(locked: LockedPackages, place: string): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[place] ?? {}
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
  return [...names].flatMap((name) => placeOf(locked, name, place) ?? [])
}

/** The folders that npm fills when it installs the packages in `starts`, with those folders themselves. */
export function installedWith(locked: LockedPackages, ...starts: readonly string[]): ReadonlySet<string> {
  const places = new Set(starts)
  for (const place of places) for (const dependency of dependenciesOf(locked, place)) places.add(dependency)
  return places
}
