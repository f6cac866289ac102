import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installedWith, placeOf } from '../packaging/lock-file.ts'
import { packedPackages } from '../packaging/packed-packages.ts'
import { repo } from '../processes/repo.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/**
 * Copies a project and links the dependencies of its `package.json`. Packages of this repository come from
 * their tarballs. All others come from the repository's own `node_modules`, in the versions of the lock file. Nothing else
 * is there: if a package does not declare a dependency, that dependency is missing, as after a real install.
 * @param name of a folder beside this file, or an absolute path
 * @returns the folder of the project, which is deleted when the test has ended
 */
export async function installProject(name: string): Promise<string> {
  const packed = await packedPackages()
  const folder = temporaryFolder()
  cpSync(resolve(import.meta.dirname, name), folder, {
    recursive: true,
    filter: (file) => !/\/(node_modules|\.next)$/.test(file),
  })
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const places = new Set<string>()
  for (const dependency of Object.keys({ ...dependencies, ...devDependencies })) {
    for (const place of installedWith(placeOf(dependency, '')!)) places.add(place)
  }
  // In this order a package comes before the packages in its own `node_modules`.
  for (const place of [...places].toSorted()) {
    const [own = '', nested] = place.split('/node_modules/')
    const packageName = own.replace('packages', '@genmount')
    if (!own.startsWith('packages/')) linkFolder(join(repo, place), join(folder, place))
    else if (nested)
      linkFolder(join(repo, place), join(folder, 'node_modules', packageName, 'node_modules', nested))
    else linkFolder(packed[packageName]!.folder, join(folder, 'node_modules', packageName))
  }
  return folder
}

/**
 * Fills the folder `to` with hard links, which are quick and take no space. If `to` is on another disk, files are copied. An
 * optional package may be missing in `from`.
 */
function linkFolder(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
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
