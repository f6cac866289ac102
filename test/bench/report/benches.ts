import { existsSync } from 'node:fs'
import type { Bench } from '../bench.ts'

/** The names of the benches, in the order of the results page. */
const names = ['http', 'waiters', 'scale', 'sqlite', 'cluster', 'economy', 'start-up']

/** Loads all benches. The file `NAME/NAME.ts` exports the bench as `nameBench`. */
export async function allBenches(): Promise<readonly Bench[]> {
  const found = names.map((name) => ({ name, url: new URL(`../${name}/${name}.ts`, import.meta.url) }))
  return Promise.all(
    found
      .filter(({ url }) => existsSync(url))
      .map(async ({ name, url }) => {
        const module = (await import(url.href)) as Record<string, Bench>
        const exported = `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Bench`
        const bench = module[exported]
        if (bench === undefined) throw new TypeError(`${name}.ts exports no ${exported}.`)
        return bench
      }),
  )
}
