const structure = '$ref allOf anyOf oneOf items properties'
const constraints =
  'type enum const required default minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems additionalProperties nullable'
const prose = 'title description examples example format deprecated readOnly writeOnly'
const understood = new Set([structure, constraints, prose].flatMap((words) => words.split(' ')))

/**
 * Checks that a part of an OpenAPI document has only words that the catalogue understands or may ignore. An unknown word could be
 * a limit, without which an entry would offer what the vendor refuses.
 * @throws Error that names the place and the word
 */
export function checkKnownWords(part: unknown, place: string): void {
  if (Array.isArray(part)) return part.forEach((each, index) => checkKnownWords(each, `${place}[${index}]`))
  if (typeof part !== 'object' || part === null)
    throw new Error(`${place} is ${JSON.stringify(part)}, and no schema.`)
  for (const [word, value] of Object.entries(part)) {
    if (word.startsWith('x-')) continue
    if (!understood.has(word))
      throw new Error(`${place} has "${word}", a word that the catalogue does not know.`)
    if (word === 'properties')
      for (const [name, property] of Object.entries(value as object))
        checkKnownWords(property, `${place}.${name}`)
    else if (word === 'items' || (word.endsWith('Of') && word !== 'multipleOf'))
      checkKnownWords(value, `${place}.${word}`)
  }
}
