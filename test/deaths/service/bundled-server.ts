import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { repo } from '../../processes/repo.ts'
import { sharedServer } from '../../suite/shared-server.ts'

/** Bundles the server process. The bundle starts in half the CPU time that the sources need. @returns the URL of the bundle */
export async function bundleServer() {
  const { build } = await import('esbuild')
  const cache = join(repo, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Here the bundle finds the packages that are not in it.
  const outdir = mkdtempSync(join(cache, 'death-server-'))
  const stop = async () => rmSync(outdir, { recursive: true })
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('server.ts', import.meta.url))],
      outdir,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      outExtension: { '.js': '.mjs' },
      conditions: ['@genmount/source'],
      external: ['pg', 'bullmq', 'ioredis', 'valibot', 'itty-router', 'lru-cache', 'p-retry'],
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: pathToFileURL(join(outdir, 'server.mjs')).href, stop }
}

/** The bundle that all test files of this run share. */
export const bundledServer = async (): Promise<URL> => new URL(await sharedServer('death-server'))
