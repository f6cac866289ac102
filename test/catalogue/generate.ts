import { writeFileSync } from 'node:fs'
import { catalogueFiles } from './catalogue-files.ts'

/*
 * Writes the catalogues of models, `packages/provider-{fal,replicate}/src/catalogue`, from the vendors' published schemas
 * in `schemas/`, which collect.ts keeps there, and from what a person has decided about each model: wanted-fal.ts and
 * wanted-replicate.ts.
 *
 *   node --conditions=@genmount/source test/catalogue/generate.ts
 */
for (const vendor of ['fal', 'replicate'] as const)
  for (const [file, text] of await catalogueFiles(vendor)) writeFileSync(file, text)
