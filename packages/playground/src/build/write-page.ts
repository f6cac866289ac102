import { writeFileSync } from 'node:fs'
import { buildPage } from './build-page.ts'

const folder = new URL('../../dist/', import.meta.url)
const type =
  '{ readonly head: string; readonly tail: string; readonly scriptHash: string; readonly styleHash: string }'
writeFileSync(
  new URL('page.js', folder),
  `const built = ${JSON.stringify(buildPage())}\nexport const page = () => built\n`,
)
writeFileSync(new URL('page.d.ts', folder), `export declare const page: () => ${type}\n`)
