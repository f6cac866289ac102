import { join } from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { Miniflare, type SharedOptions, type WorkerOptions } from 'miniflare'

/** One file, as wrangler makes it. Without compatibility flags nothing of Node's is there to lean on. */
export const forWorkers = {
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['@genmount/source', 'workerd', 'worker', 'browser'],
  external: ['cloudflare:workers', 'node:*'],
  define: { 'process.env.NODE_ENV': '"production"' },
} as const satisfies BuildOptions

/** A worker of this folder in workerd. */
export async function bundledWorker(
  name: string,
  options: Partial<SharedOptions & WorkerOptions> = {},
): Promise<Miniflare> {
  const { outputFiles } = await build({
    ...forWorkers,
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
  })
  return workerOf(outputFiles[0]!.text, options)
}

/** A worker in workerd, of its bundled script. */
export function workerOf(script: string, options: Partial<SharedOptions & WorkerOptions> = {}): Miniflare {
  return new Miniflare({ modules: true, script, compatibilityDate: '2026-07-01', ...options })
}
