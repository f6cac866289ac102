import { entryOf, type Claim, type Entry, type Form, type Wanted } from './entry-of.ts'
import type { SchemaFixture, Vendor } from './vendor-schema.ts'

type Claims = Readonly<Record<string, Claim>>

const claim = (name: string, form: Form = 'plain'): Claim => ({ name, form })
const same = (...names: readonly string[]): Claims =>
  Object.fromEntries(names.map((name) => [name, claim(name)]))
const shared = same('prompt', 'negative_prompt', 'resolution', 'seed')

/** What a provider takes for granted about the fields of a model, which its entry need not say. */
const granted: Readonly<Record<Vendor, Readonly<Record<Wanted['outputKind'], Claims>>>> = {
  fal: {
    image: {
      ...shared,
      image: claim('image_url'),
      num_outputs: claim('num_images'),
      aspect_ratio: claim('image_size', 'size'),
    },
    video: {
      ...shared,
      ...same('aspect_ratio', 'fps'),
      image: claim('image_url'),
      duration: claim('duration', 'text'),
    },
  },
  replicate: {
    image: { ...shared, ...same('image', 'aspect_ratio', 'num_outputs') },
    video: { ...shared, ...same('image', 'aspect_ratio', 'duration', 'fps') },
  },
}

const target = { fal: 'endpoint', replicate: 'model' } as const
const typeOf = { fal: 'FalModel', replicate: 'ReplicateModel' } as const
const optionsOf = { fal: 'fal-options', replicate: 'replicate-options' } as const

/** Functions that entries use, and the files that have them. */
const helpers = {
  inSeconds: './durations.ts',
  byChoice: './prices.ts',
  bySecond: './prices.ts',
} as const

/**
 * The text of a file of a catalogue.
 * @param name the name of what the file exports
 * @throws Error when a model has no kept schema
 */
export function catalogueFile(
  vendor: Vendor,
  name: string,
  models: readonly Wanted[],
  schemas: ReadonlyMap<string, SchemaFixture>,
): string {
  const entries = models.map((wanted) => {
    const fixture = schemas.get(wanted.model)
    if (!fixture) throw new Error(`There is no schema of ${wanted.model}.`)
    return entryText(vendor, wanted, fixture)
  })
  const body = entries.join('\n')
  const imports = Object.entries(helpers)
    .filter(([helper]) => body.includes(helper))
    .map(([helper, file]) => `import { ${helper} } from '${file}'`)
  return `// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { ${typeOf[vendor]} } from '../provider/${optionsOf[vendor]}.ts'
${imports.join('\n')}

/** Entries of the catalogue. */
export const ${name} = {
${body}
} satisfies Readonly<Record<string, ${typeOf[vendor]} & { readonly id: string }>>
`
}

function entryText(vendor: Vendor, wanted: Wanted, { date, schema }: SchemaFixture): string {
  const { key, id = kebab(key), model, outputKind, price, priceUnit, pricedOn, typicalMs } = wanted
  const entry = entryOf(wanted, schema)
  const fields = fieldsOf(entry, granted[vendor][outputKind])
  const priced = price === undefined ? 'No price is known here.' : `Price of ${pricedOn}.`
  const lines = [
    `id: ${JSON.stringify(id)}`,
    `${target[vendor]}: ${JSON.stringify(model)}`,
    `outputKind: ${JSON.stringify(outputKind)}`,
    ...(fields.length > 0 ? [`fields: { ${fields.join(', ')} }`] : []),
    ...(Object.keys(entry.limits).length > 0 ? [`limits: ${JSON.stringify(entry.limits)}`] : []),
    ...(entry.required.length > 0 ? [`required: ${JSON.stringify(entry.required)}`] : []),
    ...(price === undefined ? [] : [`price: ${price}`, `priceUnit: ${JSON.stringify(priceUnit)}`]),
    ...(typicalMs === undefined ? [] : [`typicalMs: ${typicalMs}`]),
  ]
  return `/** \`${model.replace(/:.*/, '')}\` as of ${date}. ${priced} */\n${key}: { ${lines.join(', ')} },\n`
}

function fieldsOf({ claims }: Entry, usual: Claims): readonly string[] {
  const names = new Set([...Object.keys(claims), ...Object.keys(usual)])
  return [...names].flatMap((name) => {
    const has = (claims as Claims)[name]
    const would = usual[name]
    if (!has) return [`${name}: false`]
    return has.name === would?.name && has.form === would.form ? [] : [`${name}: ${wayOf(has)}`]
  })
}

function wayOf({ name, form }: Claim): string {
  if (form === 'plain') return JSON.stringify(name)
  if (form === 'seconds') return 'inSeconds'
  throw new Error(`No function of the catalogue sends ${name} as ${form}.`)
}

function kebab(key: string): string {
  return key
    .replaceAll(/([a-z])([A-Z\d])/g, '$1-$2')
    .replaceAll(/(\d)([A-Z])/g, '$1-$2')
    .toLowerCase()
}
