import { copyFileSync, cpSync, linkSync, mkdirSync, readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { installedWith, placeOf } from '../packaging/lock-file.ts'
import { run } from '../packaging/run.ts'

const repo = join(import.meta.dirname, '../..')

/**
 * Copies a project of this folder and installs the dependencies of its `package.json`. Packages of this repository come from
 * their tarballs. All others are linked from the repository's own `node_modules`, in the versions of the lock file. Nothing else
 * is there: if a package does not declare a dependency, that dependency is missing, as after a real install.
 * @param tarballs the path of each tarball, by the name of its package
 * @returns the folder of the project
 */
export function installProject(name: string, root: string, tarballs: ReadonlyMap<string, string>): string {
  const folder = join(root, name)
  cpSync(join(import.meta.dirname, name), folder, { recursive: true })
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const places = new Set<string>()
  for (const dependency of Object.keys({ ...dependencies, ...devDependencies })) {
    const place = placeOf(dependency, '')
    if (place === undefined) throw new Error(`${name} needs ${dependency}, which is not in package-lock.json`)
    for (const one of installedWith(place)) places.add(one)
  }
  // In this order a package comes before the packages in its own `node_modules`.
  for (const place of [...places].toSorted()) {
    const [own, nested] = place.split('/node_modules/')
    if (!own?.startsWith('packages/')) linkFolder(join(repo, place), join(folder, place))
    else if (nested)
      linkFolder(join(repo, place), join(folder, 'node_modules', packageOf(own), 'node_modules', nested))
    else unpack(tarballs.get(packageOf(own)), join(folder, 'node_modules', packageOf(own)))
  }
  return folder
}

const packageOf = (place: string) => place.replace('packages', '@genmount')

function unpack(tarball: string | undefined, folder: string): void {
  if (tarball === undefined) throw new Error(`There is no tarball for ${folder}`)
  mkdirSync(folder, { recursive: true })
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder], folder)
}

/**
 * Fills the folder `to` with hard links, which are quick and take no space. If `to` is on another disk, files are copied. An
 * optional package may be missing in `from`.
 */
function linkFolder(from: string, to: string): void {
  let entries: Dirent[]
  try {
    entries = readdirSync(from, { withFileTypes: true })
  } catch {
    return
  }
  mkdirSync(to, { recursive: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'node_modules') linkFolder(source, target)
    else if (entry.isFile()) linkFile(source, target)
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}
