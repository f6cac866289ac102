import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { falInput, replicateInput } from './read-openapi.ts'
import { falTypes } from './read-fal-types.ts'
import { keepSchema, type Vendor, type VendorSchema } from './vendor-schema.ts'
import { wantedOfFal } from './wanted-fal.ts'
import { wantedOfReplicate } from './wanted-replicate.ts'
import { withBounds } from './with-bounds.ts'

/*
 * Keeps the vendors' published schemas of the models in the catalogue as fixtures, in `schemas/`. Then run generate.ts.
 *
 *   node --conditions=@genmount/source test/catalogue/collect.ts fal
 *   REPLICATE_API_TOKEN=... node --conditions=@genmount/source test/catalogue/collect.ts replicate
 *
 * asks the vendors. Without internet it reads files that hold what the vendors have published:
 *
 *   ... collect.ts fal --types endpoints.ts --openapi models.json --source 'where they are from' --date 2026-08-02
 *   ... collect.ts replicate --models models.json --source 'where they are from' --date 2026-08-20
 *
 * `--types` is `libs/client/src/types/endpoints.ts` of fal-ai/fal-js. `--openapi`, which may be given several times, is an
 * answer of `GET https://api.fal.ai/v1/models?expand=openapi-3.0`; with `--types` only its bounds are used. `--models` is a
 * list of answers of `GET https://api.replicate.com/v1/models/{owner}/{name}`. Models that the files do not have stay as
 * they are.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    types: { type: 'string' },
    openapi: { type: 'string', multiple: true, default: [] },
    models: { type: 'string' },
    source: { type: 'string' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
})

type Reader = (model: string) => Promise<VendorSchema | undefined> | VendorSchema | undefined
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** @throws Error when the vendor does not answer with a document */
async function fetched(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const answer = await fetch(url, { headers })
  if (answer.ok) return answer.json()
  throw new Error(`${url} answers with status ${answer.status}.`)
}

function falReader(): Reader {
  const { types, openapi } = values
  if (types === undefined && openapi.length === 0)
    return async (model) =>
      falInput(await fetched(`https://fal.ai/api/openapi/queue/openapi.json?endpoint_id=${model}`))
  const lists = openapi.flatMap(
    (file) => (json(file) as { models: { endpoint_id: string; openapi?: unknown }[] }).models,
  )
  const documents = new Map(lists.map(({ endpoint_id, openapi: document }) => [endpoint_id, document]))
  const documented = (model: string) => {
    const document = documents.get(model)
    return document === undefined ? undefined : falInput(document)
  }
  if (types === undefined) return documented
  const typed = falTypes(readFileSync(types, 'utf8'))
  return (model) => {
    const schema = typed(model)
    return schema && withBounds(schema, documented(model))
  }
}

function replicateReader(): Reader {
  const { models } = values
  if (models === undefined) {
    const authorization = `Bearer ${process.env['REPLICATE_API_TOKEN']}`
    return async (model) =>
      replicateInput(
        await fetched(`https://api.replicate.com/v1/models/${model.replace(/:.*/, '')}`, { authorization }),
      )
  }
  const list = json(models) as { owner: string; name: string }[]
  const answers = new Map(list.map((answer) => [`${answer.owner}/${answer.name}`, answer]))
  return (model) => {
    const answer = answers.get(model.replace(/:.*/, ''))
    return answer && replicateInput(answer)
  }
}

const vendors = {
  fal: { wanted: wantedOfFal, reader: falReader, source: 'https://fal.ai/api/openapi/queue/openapi.json' },
  replicate: {
    wanted: wantedOfReplicate,
    reader: replicateReader,
    source: 'https://api.replicate.com/v1/models',
  },
}

const vendor = positionals[0] as Vendor
const { wanted, reader, source } = vendors[vendor] ?? {}
if (!wanted) throw new Error(`Name a vendor: ${Object.keys(vendors).join(' or ')}.`)
const read = reader()
for (const { model } of Object.values(wanted).flat()) {
  const schema = await read(model)
  if (schema) await keepSchema(vendor, { model, source: values.source ?? source, date: values.date, schema })
  console.log(`${schema ? 'kept ' : 'none '} ${model}`)
}
