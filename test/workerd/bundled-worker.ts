import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Miniflare, type SharedOptions, type WorkerOptions } from 'miniflare'
import { build } from 'tsup'

/** A worker of this folder in workerd. Without compatibility flags nothing of Node's is there to lean on. */
export async function bundledWorker(name: string, options: Partial<SharedOptions & WorkerOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-workerd-'))
  await build({
    entry: [join(import.meta.dirname, `${name}.ts`)],
    outDir: folder,
    config: false,
    format: 'esm',
    platform: 'neutral',
    noExternal: [/.*/],
    // One file, as wrangler makes it.
    splitting: false,
    silent: true,
    removeNodeProtocol: false,
    esbuildOptions(options) {
      options.conditions = ['@genmount/source', 'workerd', 'worker', 'browser']
      options.external = ['node:*']
    },
  })
  const worker = new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, `${name}.js`),
    compatibilityDate: '2026-07-01',
    ...options,
  })
  return {
    worker,
    async stop() {
      await worker.dispose()
      rmSync(folder, { recursive: true })
    },
  }
}
