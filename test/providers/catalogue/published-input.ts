import { Ajv, type ValidateFunction } from 'ajv'
import { keptSchemas, type Vendor } from '../../../packages/model-catalogues/src/vendor-schema.ts'

const ajv = new Ajv({ strict: false })
const checks = new Map<Vendor, ReadonlyMap<string, ValidateFunction>>()

/** The checks of a vendor by the model, and by its version if the model has one. */
function checksOf(vendor: Vendor): ReadonlyMap<string, ValidateFunction> {
  const made =
    checks.get(vendor) ??
    new Map(
      [...keptSchemas(vendor)].map(([model, { schema }]) => [model.replace(/^.*:/, ''), ajv.compile(schema)]),
    )
  checks.set(vendor, made)
  return made
}

/**
 * What is wrong with an input by the schema that the vendor has published.
 * @returns the field and the fault, or `undefined` if nothing is wrong, or no schema of the model is kept
 */
export function publishedFaultIn(
  vendor: Vendor,
  model: string,
  input: unknown,
): { readonly field: string; readonly message: string } | undefined {
  const isRight = checksOf(vendor).get(model)
  if (!isRight || isRight(input)) return undefined
  const [{ instancePath = '', message = '', params = {} } = {}] = isRight.errors ?? []
  const name = params['additionalProperty'] ?? params['missingProperty'] ?? instancePath.split('/')[1]
  return { field: String(name ?? 'input'), message }
}
