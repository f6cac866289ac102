import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatted } from './formatted.ts'
import { falInput, replicateInput } from './read-openapi.ts'
import type { SchemaFixture, Vendor } from './vendor-schema.ts'
import { wantedOfFal } from './wanted-fal.ts'
import { wantedOfReplicate } from './wanted-replicate.ts'

/*
 * Keeps the vendors' published schemas of the models in the catalogue as fixtures, in `schemas/`. Then run generate.ts.
 *
 *   node --conditions=@genmount/source packages/model-catalogues/src/collect.ts fal
 *   REPLICATE_API_TOKEN=... node --conditions=@genmount/source packages/model-catalogues/src/collect.ts replicate
 *
 * asks the vendors. Without internet it reads a file with stored answers of the same addresses, as an object by model:
 *
 *   ... collect.ts fal --answers answers.json --source 'where they are from' --date 2026-08-02
 *
 * Models that the file does not have stay as they are.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    answers: { type: 'string' },
    source: { type: 'string' },
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
})

const vendors = {
  fal: {
    wanted: wantedOfFal,
    inputOf: falInput,
    source: 'https://fal.ai/api/openapi/queue/openapi.json?endpoint_id=',
    headers: {},
  },
  replicate: {
    wanted: wantedOfReplicate,
    inputOf: replicateInput,
    source: 'https://api.replicate.com/v1/models/',
    headers: { authorization: `Bearer ${process.env['REPLICATE_API_TOKEN']}` },
  },
}
const vendor = positionals[0] as Vendor
const { wanted, inputOf, source, headers } = vendors[vendor]
const stored = values.answers === undefined ? undefined : JSON.parse(readFileSync(values.answers, 'utf8'))

async function answerFor(model: string): Promise<unknown> {
  if (stored) return stored[model]
  const answer = await fetch(source + model.replace(/:.*/, ''), { headers })
  if (answer.ok) return answer.json()
  throw new Error(`${answer.url} answers with status ${answer.status}.`)
}

for (const { model } of Object.values(wanted).flat()) {
  const answer = await answerFor(model)
  console.log(`${answer === undefined ? 'none' : 'kept'} ${model}`)
  if (answer === undefined) continue
  const name = model.replace(/:.*/, '').replaceAll('/', '__')
  const file = new URL(`../schemas/${vendor}/${name}.json`, import.meta.url)
  const { date, source: from = source } = values
  const fixture: SchemaFixture = { model, source: from, date, schema: inputOf(answer) }
  writeFileSync(file, await formatted(file, JSON.stringify(fixture)))
}
