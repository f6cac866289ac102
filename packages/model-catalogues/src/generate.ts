import { writeFileSync } from 'node:fs'
import { formatted } from './formatted.ts'
import { catalogueFile } from './render.ts'
import type { Wanted } from './entry-of.ts'
import { keptSchemas, type Vendor } from './vendor-schema.ts'
import { wantedOfFal } from './wanted-fal.ts'
import { wantedOfReplicate } from './wanted-replicate.ts'

/*
 * Writes the catalogues of models, `packages/provider-{fal,replicate}/src/catalogue`, from the vendors' published schemas
 * in `schemas/`, which catalogue.ts keeps there, and from what a person has decided about each model: wanted-fal.ts and
 * wanted-replicate.ts.
 *
 *   node --conditions=@genmount/source packages/model-catalogues/src/generate.ts
 */

/** The models of each vendor's catalogue, by the file that they are in. */
export const wantedModels: Readonly<Record<Vendor, Readonly<Record<string, readonly Wanted[]>>>> = {
  fal: wantedOfFal,
  replicate: wantedOfReplicate,
}

/** The files of a vendor's catalogue, as the kept schemas and the lists of wanted models make them. */
export async function catalogueFiles(vendor: Vendor): Promise<readonly (readonly [URL, string])[]> {
  const schemas = keptSchemas(vendor)
  const folder = new URL(`../../provider-${vendor}/src/catalogue/`, import.meta.url)
  return Promise.all(
    Object.entries(wantedModels[vendor]).map(async ([name, models]) => {
      const file = new URL(`${name}.ts`, folder)
      const constant = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      return [file, await formatted(file, catalogueFile(vendor, constant, models, schemas))] as const
    }),
  )
}

if (import.meta.main)
  for (const vendor of ['fal', 'replicate'] as const)
    for (const [file, text] of await catalogueFiles(vendor)) writeFileSync(file, text)
