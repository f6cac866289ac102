import type { ByteRange } from '@genmount/core'

/**
 * The part of a file that a Range header asks for (RFC 9110 section 14.1.2).
 * @param size the size of the file in bytes
 * @returns `undefined` when the whole file is to be sent: without a header, or when the header is malformed
 * or asks for several ranges, because a server may ignore such a header
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header)
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start < size ? { start, end } : 'unsatisfiable'
}
