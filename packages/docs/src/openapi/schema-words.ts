import { anchorOf } from '../markdown/headings.ts'
import type { ShownSchema } from './served-document.ts'

/** What a JSON Schema accepts, in words and Markdown, such as "`image` or `video`". */
export function wordsOf(schema: ShownSchema): string {
  const words = [kindOf(schema), ...limitsOf(schema)]
  if (schema.default !== undefined) words.push(`${code(schema.default)} by default`)
  return words.join(', ')
}

function kindOf(schema: ShownSchema): string {
  const { $ref, type = 'any', items, properties, additionalProperties, format } = schema
  const choices = schema.oneOf ?? schema.anyOf
  if ($ref) return `[${nameIn($ref)}](#${anchorOf(nameIn($ref))})`
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(' or ')
  if (choices) return choices.map(wordsOf).join(' or ')
  const types = typeof type === 'string' ? [type] : type
  return types.map(kind).join(' or ')

  function kind(name: string): string {
    if (name === 'array' && items) return `list of ${wordsOf(items)}`
    if (name === 'object' && properties)
      return `object with ${Object.entries(properties)
        .map(([field, its]) => `\`${field}\`: ${wordsOf(its)}`)
        .join('; ')}`
    if (name === 'object' && typeof additionalProperties === 'object')
      return `object with values: ${wordsOf(additionalProperties)}`
    if (name === 'string' && format) return `string (${format})`
    return name
  }
}

function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
  maxProperties,
}: ShownSchema): string[] {
  return [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    (minLength ?? 0) === 0 ? '' : `not shorter than ${minLength}`,
    maxLength === undefined ? '' : `not longer than ${maxLength}`,
    maxItems === undefined ? '' : `at most ${maxItems} entries`,
    maxProperties === undefined ? '' : `at most ${maxProperties} fields`,
  ].filter((words) => words !== '')
}

const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

/** The name of the component that a reference leads to. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** Makes a Markdown table. It escapes `|` and line breaks in cells, and omits empty columns. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const hasText = head.map((_, column) => rows.some((row) => row[column] !== ''))
  const line = (cells: readonly string[]) =>
    `| ${cells
      .filter((_, column) => hasText[column])
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))
      .join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
