import { writeFileSync } from 'node:fs'
import type { Page } from './page-type.ts'

const type =
  '{ readonly head: string; readonly tail: string; readonly scriptHash: string; readonly styleHash: string }'

/**
 * Writes a built page as the module `<name>.js` with its types, for the published package.
 * @param folder the folder of the module, `dist` of the package
 */
export function writePage(folder: URL, name: string, page: Page): void {
  const module = `const built = ${JSON.stringify(page)}\nexport const page = () => built\n`
  writeFileSync(new URL(`${name}.js`, folder), module)
  writeFileSync(new URL(`${name}.d.ts`, folder), `export declare const page: () => ${type}\n`)
}
