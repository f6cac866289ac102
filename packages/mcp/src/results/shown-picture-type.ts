/**
 * The pictures that models read, each with its first bytes. `?` stands for any byte. Anthropic's and OpenAI's APIs take
 * no others, and an agent whose session holds another one can't go on:
 * https://platform.claude.com/docs/en/build-with-claude/vision
 */
const pictures: readonly (readonly [mimeType: string, beginning: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF????WEBP'],
]

/** Whether a file of this declared type may be a picture that models read. */
export function mayBeShown(mimeType: string): boolean {
  return pictures.some(([type]) => type === mimeType)
}

/**
 * The type of a picture that models read, by its first bytes, because the API of a model also refuses a picture under a
 * wrong type.
 * @returns `undefined` for anything else
 */
export function shownPictureType(bytes: Uint8Array): string | undefined {
  const begins = (beginning: string) =>
    Array.from(beginning).every((character, i) => character === '?' || character.charCodeAt(0) === bytes[i])
  return pictures.find(([, beginning]) => begins(beginning))?.[0]
}
