import { sizeOfRatio, type VendorFields } from '@genmount/provider-kit'
import type { SchemaPlace } from './schema-places.ts'

/** The shape of a model that takes a width and a height instead. */
export function sizeFields(places: readonly SchemaPlace[]): VendorFields {
  const [width, height] = ['width', 'height'].map((name) => places.find(({ path }) => path === name)?.part)
  if (!width || !height) return {}
  const most = Math.min(width.maximum ?? Infinity, height.maximum ?? Infinity)
  return { aspect_ratio: (ratio) => ({ ...sizeOfRatio(ratio, { step: 16, most }) }) }
}
