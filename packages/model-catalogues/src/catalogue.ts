import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { changesOf } from './catalogue-changes.ts'
import { liveDocument, type ReadDocument, storedDocuments } from './documents.ts'
import { formatted } from './formatted.ts'
import { wantedModels } from './generate.ts'
import { type PublishedVendor, publishedVendors } from './published.ts'
import { keptSchemas, type SchemaFixture, schemasFolder } from './vendor-schema.ts'

/*
 * Reads what the vendors publish about the models of the catalogues, and keeps it with its date in `schemas/`:
 *
 *   REPLICATE_API_TOKEN=... COMFY_API_KEY=... npm run catalogue
 *   npm run catalogue -- --from FOLDER     # stored copies of the vendors' documents instead
 *
 * What has changed is printed and kept in `schemas/changes.md`: models that are new or gone, prices, fields. Edit the wanted models by
 * it, and run generate.ts. If a vendor fails or a document has an unknown
 * shape, nothing is written: the job names the document and exits with 1.
 */

type VendorName = keyof typeof publishedVendors

/** What the job does, and where. */
export interface CatalogueJob {
  readonly read: ReadDocument
  /** Whether a model without documents is gone. Copies are of some models only, so nothing is known about the others. */
  readonly isGoneWithoutDocuments: boolean
  /** The folder with what was read before, which gets what is read now. */
  readonly into: string
  /** The day of the reading: `2026-11-27`. */
  readonly date: string
  /** The models that are read beside those that a vendor lists, by vendor. A vendor that is not named is not read. */
  readonly wanted: Readonly<Partial<Record<VendorName, readonly string[]>>>
}

/** What the job has found. With faults, it has written nothing. */
export interface CatalogueReading {
  readonly changes: readonly string[]
  readonly faults: readonly string[]
}

/** Reads the documents of the vendors, and writes down what is new. */
export async function readCatalogues(job: CatalogueJob): Promise<CatalogueReading> {
  const { read, into, date, wanted } = job
  const changes: string[] = []
  const faults: string[] = []
  const files: (readonly [folder: string, fixture: SchemaFixture])[] = []
  for (const [name, models] of Object.entries(wanted)) {
    const vendor: PublishedVendor = publishedVendors[name as VendorName]
    const earlier = keptSchemas(name as VendorName, into)
    /** @returns `undefined` after a fault, which is written down */
    const tried = <Result>(what: string, reading: Promise<Result>) =>
      reading.then(
        (result) => ({ result }),
        (error: Error) => void faults.push(`${name}: ${what}: ${error.message}`),
      )
    const list = vendor.list && (await tried('the list', vendor.list(read)))
    const listed = list?.result
    for (const model of new Set([...models, ...(listed ?? []), ...(listed ? earlier.keys() : [])])) {
      const isListed = listed?.includes(model) ?? true
      const reading = isListed ? await tried(model, vendor.read(read, model)) : { result: undefined }
      if (!reading) continue
      const now = reading.result
      const isGone = listed ? !isListed : job.isGoneWithoutDocuments
      if (!now && !isGone) continue
      const before = earlier.get(model)
      const lines = changesOf(model, before, now)
      changes.push(...lines)
      if (now && (lines.length > 0 || before?.price !== now.price))
        files.push([join(into, name), { model, date, ...now }])
    }
  }
  if (faults.length > 0) return { changes, faults }
  for (const [folder, fixture] of files) {
    mkdirSync(folder, { recursive: true })
    const file = pathToFileURL(join(folder, `${fixture.model.replace(/:.*/, '').replaceAll('/', '__')}.json`))
    writeFileSync(file, await formatted(file, JSON.stringify(fixture)))
  }
  const lines = changes.length > 0 ? changes : ['Nothing has changed.']
  writeFileSync(join(into, 'changes.md'), `# Changes of ${date}\n\n${lines.join('\n')}\n`)
  return { changes, faults }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      into: { type: 'string', default: schemasFolder },
      date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    },
  })
  const idsOf = (vendor: 'fal' | 'replicate') =>
    Object.values(wantedModels[vendor]).flatMap((each) => each.map(({ model }) => model))
  const all = { fal: idsOf('fal'), replicate: idsOf('replicate'), 'comfy-router': [] }
  const keyless = Object.entries<PublishedVendor>(publishedVendors).flatMap(([vendor, { key }]) =>
    values.from === undefined && key !== undefined && !process.env[key] ? [[vendor, key] as const] : [],
  )
  for (const [vendor, key] of keyless) console.log(`Not read: ${vendor}, because ${key} is not set.`)
  const wanted = Object.fromEntries(
    Object.entries(all).filter(([name]) => !keyless.some(([vendor]) => vendor === name)),
  )
  const read = values.from === undefined ? liveDocument : storedDocuments(values.from)
  const { changes, faults } = await readCatalogues({
    read,
    isGoneWithoutDocuments: values.from === undefined,
    into: values.into,
    date: values.date,
    wanted,
  })
  console.log(changes.length > 0 ? changes.join('\n') : 'Nothing has changed.')
  for (const fault of faults) console.error(`Nothing is written: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}
