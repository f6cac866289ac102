import type { Property, VendorSchema } from './vendor-schema.ts'

/** What fal's page of an endpoint says. */
interface LlmsPage {
  /** What the endpoint costs, in fal's words. */
  readonly price: string
  readonly schema: VendorSchema
}

const parameter = /^- \*\*`(\w+)`\*\* \(`([^`]+)`, _(required|optional)_\):?$/
const types: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  float: 'number',
  boolean: 'boolean',
}

/**
 * Reads `https://fal.ai/models/{endpoint}/llms.txt`.
 * @throws Error that says which part of the page has an unknown shape
 */
export function readLlmsTxt(page: string, endpoint: string): LlmsPage {
  const id = /^- \*\*Model ID\*\*: `([^`]+)`$/m.exec(page)?.[1]
  if (id !== endpoint) throw new Error(`llms.txt names the model ${id ?? 'nowhere'}, and not ${endpoint}.`)
  const price = /^## Pricing\n+([^]+?)\n+For more details/m.exec(page)?.[1]
  if (price === undefined) throw new Error('llms.txt has no words below "## Pricing".')
  const input = /^### Input Schema\n([^]+?)(?:\n### |\n\*\*Required Parameters Example)/m.exec(page)?.[1]
  if (input === undefined) throw new Error('llms.txt has no "### Input Schema" with an end.')
  return { price: price.replaceAll('**', '').replaceAll(/\s+/g, ' ').trim(), schema: schemaIn(input) }
}

function schemaIn(input: string): VendorSchema {
  const properties: Record<string, Property> = {}
  const required: string[] = []
  for (const part of input.split(/\n(?=- )/).slice(1)) {
    const [line = '', ...details] = part.split('\n')
    const [whole, name = '', type = '', need] = parameter.exec(line.trim()) ?? []
    if (whole === undefined) throw new Error(`llms.txt has a parameter of an unknown shape: ${line.trim()}`)
    properties[name] = propertyOf(name, type, details)
    if (need === 'required') required.push(name)
  }
  if (Object.keys(properties).length === 0) throw new Error('llms.txt has an input without parameters.')
  return { type: 'object', required, additionalProperties: false, properties }
}

function propertyOf(name: string, type: string, details: readonly string[]): Property {
  const said = (word: string) =>
    details
      .map((line) => line.trim())
      .find((line) => line.startsWith(`- ${word}: `))
      ?.slice(word.length + 4)
  const options = said('Options')
    ?.match(/`[^`]+`/g)
    ?.map(valueOf)
  const fallback = /^`([^`]*)`/.exec(said('Default') ?? '')?.[0]
  const [, least, most] = /^`([^`]+)` to `([^`]+)`/.exec(said('Range') ?? '') ?? []
  const base: Property | undefined = options
    ? { enum: options }
    : /^list<.+>$/.test(type)
      ? { type: 'array' }
      : Object.hasOwn(types, type)
        ? { type: types[type]! }
        : undefined
  // Objects, such as ImageSize, have a table of their own, which no field of the catalogue needs.
  if (!base && !/^[A-Z]\w*$/.test(type)) throw new Error(`llms.txt gives ${name} the unknown type ${type}.`)
  if (!base && type.endsWith('Enum')) throw new Error(`llms.txt gives ${name} choices without "Options".`)
  return {
    ...(base ?? { type: 'object' }),
    ...(fallback !== undefined && { default: valueOf(fallback) }),
    ...(least !== undefined && { minimum: Number(least), maximum: Number(most) }),
  }
}

function valueOf(code: string): unknown {
  const text = code.replaceAll('`', '')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
