/** What stands between the words of a prompt. */
export const betweenWords = /[^\p{L}\p{N}-]+/u

/**
 * The words of a prompt in lower case. The set also has the parts of words with hyphens, and the singulars of likely
 * plurals.
 */
export function wordsOf(prompt: string): ReadonlySet<string> {
  return new Set(prompt.toLowerCase().split(betweenWords).flatMap(formsOf))
}

/** A word, the parts that its hyphens separate, and the singulars of a likely plural. */
export function formsOf(word: string): string[] {
  const forms = [word, ...word.split('-')]
  if (word.endsWith('ies')) forms.push(`${word.slice(0, -3)}y`)
  if (word.endsWith('es')) forms.push(word.slice(0, -2))
  if (word.endsWith('s')) forms.push(word.slice(0, -1))
  return forms
}
