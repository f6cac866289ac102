import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Compiles a server of the folder `servers`, as the page "What it costs" advises.
 * @param isOneFile whether its packages are in the same file
 * @returns the file, and its size gzipped, in bytes
 */
export async function bundled(server: string, isOneFile: boolean, folder: string) {
  const file = join(folder, `${server}${isOneFile ? '-one-file' : ''}.mjs`)
  const isBuilt = process.env['BENCH_BUILT'] === '1'
  // Express asks for modules of Node by `require`.
  const require = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`
  await build({
    entryPoints: [fileURLToPath(new URL(`servers/${server}.ts`, import.meta.url))],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    ...(server.endsWith('-worker') ? { mainFields: ['module', 'main'] } : { platform: 'node' }),
    conditions: isBuilt ? [] : ['@genmount/source'],
    ...(isOneFile ? { external: ['node:*'] } : { packages: 'external' }),
    banner: { js: isOneFile && server.startsWith('express') ? require : '' },
  })
  return { file, gzipped: gzipSync(readFileSync(file), { level: 9 }).byteLength }
}
