/** Removes the characters that would control the terminal from a text that a server sent. */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
}
