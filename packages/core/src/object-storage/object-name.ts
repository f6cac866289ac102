import { sha256Hex } from '../text/sha256-hex.ts'

/** MinIO keeps objects as files, whose names may have 255 bytes. */
const longestName = 250

/**
 * The name of the object for a key. Letters, digits, `_` and `-` stay; each other UTF-16 code unit becomes `~` and four
 * hexadecimal digits. So the keys of outputs are not changed, and the slash in the key of an upload becomes `~002f`.
 *
 * This is needed because a key may be any text, but an object's name may not: URL parsers remove `.` and `..`, and
 * MinIO refuses `a//b`, and does not allow both an object `a` and an object `a/b`.
 */
export async function objectName(key: string): Promise<string> {
  const name = key.replace(/[^\w-]/g, (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (name === '') return '~'
  return name.length <= longestName ? name : `~~${await sha256Hex(new TextEncoder().encode(name))}`
}

/** The key of an object with this name. @returns `undefined` for a name that was made of the hash of its key */
export function keyOf(name: string): string | undefined {
  if (name.startsWith('~~')) return undefined
  return name.replace(/~([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
}
