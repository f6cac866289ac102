import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare, type SharedOptions, type WorkerOptions } from 'miniflare'

/** A worker of this folder in workerd. Without compatibility flags nothing of Node's is there to lean on. */
export async function bundledWorker(
  name: string,
  options: Partial<SharedOptions & WorkerOptions> = {},
): Promise<Miniflare> {
  // One file, as wrangler makes it.
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@genmount/source', 'workerd', 'worker', 'browser'],
    external: ['cloudflare:workers', 'node:*'],
  })
  return new Miniflare({
    modules: true,
    script: outputFiles[0]!.text,
    compatibilityDate: '2026-07-01',
    ...options,
  })
}
