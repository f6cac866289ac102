import { shortText } from './short-text.ts'

const longest = 300

/** The first words of a file that is no media, such as a page or an error, in quotation marks. For the operator's log. */
export function firstWords(bytes: Uint8Array): string {
  const words = shortText(new TextDecoder().decode(bytes.subarray(0, longest)))
  return `"${words}${bytes.byteLength > longest ? '…' : ''}"`
}
