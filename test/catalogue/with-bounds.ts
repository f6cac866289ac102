import type { Property, VendorSchema } from './vendor-schema.ts'

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/**
 * A schema without bounds, with the bounds of another schema of the same model, where both have a property of the same
 * type. Whole numbers of the other schema are whole numbers.
 */
export function withBounds(schema: VendorSchema, other: VendorSchema | undefined): VendorSchema {
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    bounded(property, other?.properties[name]),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function bounded(property: Property, other: Property | undefined): Property {
  const isWhole = property.type === 'number' && other?.type === 'integer'
  if (!isWhole && property.type !== other?.type) return property
  const others = bounds.flatMap((name) => (other?.[name] === undefined ? [] : [[name, other[name]]]))
  return { ...property, ...(isWhole && { type: 'integer' }), ...Object.fromEntries(others) }
}
