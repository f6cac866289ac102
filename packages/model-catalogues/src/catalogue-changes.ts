import type { Published } from './published.ts'
import type { SchemaFixture } from './vendor-schema.ts'

/**
 * What has changed about a model, one line for each change, for a person who then edits the wanted models.
 * @param earlier what was read before. @default nothing
 * @param now what the vendor publishes. @default the vendor has the model no more
 */
export function changesOf(model: string, earlier?: SchemaFixture, now?: Published): readonly string[] {
  if (!now) return earlier ? [`- ${model} is gone.`] : []
  const { properties, required } = now.schema
  if (!earlier)
    return [`- ${model} is new: ${Object.keys(properties).join(', ')}.${now.price ? ` ${now.price}` : ''}`]
  const before = earlier.schema.properties
  const names = [...new Set([...Object.keys(before), ...Object.keys(properties)])].toSorted()
  const fields = names.flatMap((name) => {
    const [was, is] = [before[name], properties[name]]
    if (!was) return [`- ${model} has the new field ${name}: ${inOrder(is)}`]
    if (!is) return [`- ${model} has no field ${name} any more.`]
    return inOrder(was) === inOrder(is)
      ? []
      : [`- ${model} changed ${name} from ${inOrder(was)} to ${inOrder(is)}`]
  })
  const [needed, needs] = [earlier.schema.required, required].map((each) => each.toSorted().join(', '))
  return [
    ...(earlier.price === undefined || now.price === undefined || earlier.price === now.price
      ? []
      : [`- ${model} changed its price from "${earlier.price}" to "${now.price}"`]),
    ...fields,
    ...(needed === needs
      ? []
      : [`- ${model} needs ${needs || 'nothing'}; it needed ${needed || 'nothing'}.`]),
  ]
}

/** JSON whose objects have their keys in order, so that equal schemas are equal texts. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
