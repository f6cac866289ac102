import { posix } from 'node:path'
import { floorsOfCore, importsOfPackage, pluginsOfCore, withoutNode } from './layers.ts'

const highestFloorOfPlugins = floorsOfCore.findIndex((rooms) => rooms.includes('input'))

/**
 * Why a file must not import something.
 * @param file its path from the root of the repository
 * @param imported what stands in its import
 * @returns `undefined` when the table of layers allows the import
 */
export function importBreach(file: string, imported: string): string | undefined {
  if (file.startsWith('test/')) return testBreach(file, imported)
  const [, name = '', , ...inside] = file.split('/')
  if (imported.startsWith('node:'))
    return withoutNode.includes(name) ? `${name} runs where there are no modules of Node` : undefined
  if (imported.startsWith('@genmount/')) {
    const [, other = ''] = imported.split('/')
    const allowed = importsOfPackage[name] ?? importsOfPackage[name.replace(/-.*/, '-*')] ?? []
    return allowed.includes(other) ? undefined : `${name} imports of ours: ${allowed.join(', ') || 'nothing'}`
  }
  if (!imported.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(file), imported).split('/')
  if (target[1] !== name || target[2] !== 'src') return 'a package is imported by its name'
  return name === 'core' ? roomBreach(inside, target.slice(3)) : undefined
}

function testBreach(file: string, imported: string): string | undefined {
  const startsProcesses = /^(?:node:)?child_process$/.test(imported)
  if (!startsProcesses || file.startsWith('test/processes/')) return undefined
  return 'tests start processes by the functions of test/processes'
}

function roomBreach(
  [room, file]: readonly string[],
  [other, otherFile]: readonly string[],
): string | undefined {
  if (room === 'index.ts' && pluginsOfCore.includes(other ?? ''))
    return `${other} is a plugin, with an entry of its own`
  if (room === other || file === undefined) return undefined
  if (otherFile === undefined) return 'index.ts is for other packages'
  if (pluginsOfCore.includes(other ?? '')) return `${other} is a plugin`
  const [floor, otherFloor] = [room, other].map((name) =>
    pluginsOfCore.includes(name ?? '')
      ? highestFloorOfPlugins + 1
      : floorsOfCore.findIndex((rooms) => rooms.includes(name ?? '')),
  ) as [number, number]
  if (floor < 0 || otherFloor < 0) return `the table has no room ${floor < 0 ? room : other}`
  return otherFloor < floor ? undefined : `${room} is not above ${other}`
}
