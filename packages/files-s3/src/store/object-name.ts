import { sha256Hex } from '@genmount/core'

/** MinIO keeps objects as files, whose names may have 255 bytes. */
const longestName = 250

/**
 * The name of the object for a key. Letters, digits, `_` and `-` stay; each other UTF-16 code unit becomes `~` and four
 * hexadecimal digits. The keys of the service stay as they are.
 *
 * A key may be any text, and the name of an object may not: URL parsers take `.` and `..` away, MinIO refuses `a//b`, and
 * there an object `a` excludes an object `a/b`.
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
