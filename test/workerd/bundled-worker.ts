import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'
import { build } from 'tsup'

/** A worker of this folder in workerd, without Node's modules. */
export async function bundledWorker(name: string, bindings: Record<string, object> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-workerd-'))
  await build({
    entry: [join(import.meta.dirname, `${name}.ts`)],
    outDir: folder,
    config: false,
    format: 'esm',
    platform: 'neutral',
    noExternal: [/.*/],
    silent: true,
    esbuildOptions: (options) =>
      void (options.conditions = ['@genmount/source', 'workerd', 'worker', 'browser']),
  })
  // No compatibility flags: nothing of Node's is there to lean on.
  const worker = new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, `${name}.js`),
    compatibilityDate: '2026-07-01',
    bindings,
  })
  return {
    worker,
    async stop() {
      await worker.dispose()
      rmSync(folder, { recursive: true })
    },
  }
}
