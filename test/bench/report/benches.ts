import { existsSync } from 'node:fs'
import type { Bench } from '../bench.ts'

/** In the order of the page. */
const names = ['http', 'waiters', 'scale', 'sqlite', 'economy', 'start-up']

/** Every bench: the folder `NAME/` has `NAME.ts`, which exports it as `nameBench`. */
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
