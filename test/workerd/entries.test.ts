import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { manifestOf } from '../bench/start-up/bundle-size.ts'
import { publishedPackages } from '../published-packages.ts'
import { forWorkers, workerOf } from './bundled-worker.ts'
import { entriesWithoutWorkers } from './entries-without-workers.ts'

const entries = publishedPackages.flatMap((name) =>
  Object.keys(manifestOf(name).exports).map((entry) => `@genmount/${name}${entry.slice(1)}`),
)
const entriesForWorkers = entries.filter((entry) => !(entry in entriesWithoutWorkers))

/** Large dependencies that no worker can load. They are not bundled, so that it is quick. */
const unloadable = ['bullmq', 'esbuild', 'sharp', '@tensorflow/*', '@upscalerjs/*']

/** A worker that imports the entries, and answers with how many names each exports. `imports` is what it does not bundle. */
async function bundleOf(imported: readonly string[]) {
  const lines = imported.map((entry, at) => `import * as entry${at} from '${entry}'`)
  const all = imported.map((_, at) => `Object.keys(entry${at}).length`)
  const contents = `${lines.join('\n')}\nexport default { fetch: () => Response.json([${all.join()}]) }`
  const stdin = { contents, resolveDir: import.meta.dirname }
  const external = [...forWorkers.external, ...unloadable]
  const { outputFiles, metafile } = await build({
    ...forWorkers,
    external,
    stdin,
    metafile: true,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  return { script: outputFiles[0]!.text, imports: output!.imports.map(({ path }) => path) }
}

test('every entry of every package runs in a worker without a module of Node, except those that are listed with a reason', async () => {
  expect(entriesForWorkers.length).toBeGreaterThan(40)
  const { script, imports } = await bundleOf(entriesForWorkers)
  expect(imports).toEqual([])
  // workerd refuses timers, random values, requests and other I/O in the global scope, and its clock stands still there: a module
  // that does any of it when it is loaded fails here.
  const worker = workerOf(script)
  onTestFinished(() => worker.dispose())
  const counts = (await (await worker.dispatchFetch('https://app.test/')).json()) as number[]
  expect(counts).toHaveLength(entriesForWorkers.length)
  expect(entriesForWorkers.filter((_, at) => counts[at] === 0)).toEqual([])
})

test.each(Object.entries(entriesWithoutWorkers))(
  '%s is listed as one without workers, for it needs %s',
  async (entry) => {
    expect(entries).toContain(entry)
    const imports = await bundleOf([entry]).then(
      (bundle) => bundle.imports,
      (error: unknown) => [String(error)],
    )
    expect(imports).not.toEqual([])
  },
)

test.each(['setTimeout(() => {}, 1)', 'crypto.randomUUID()', "await fetch('https://app.test/')"])(
  'workerd refuses a module that calls %s when it is loaded, so the first test would fail',
  async (call) => {
    const worker = workerOf(`${call}\nexport default { fetch: () => new Response() }`, {
      handleRuntimeStdio() {},
    })
    onTestFinished(() => worker.dispose().catch(() => {}))
    await expect(worker.dispatchFetch('https://app.test/')).rejects.toThrow()
  },
)
