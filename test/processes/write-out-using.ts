import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'

/** Imported first by scripts on a Node that runs TypeScript but does not know `using`: has TypeScript write it out. */
registerHooks({
  load(url, context, nextLoad) {
    const source = /^file:.*\.ts$/.test(url) ? readFileSync(new URL(url), 'utf8') : ''
    if (!/^\s*(await )?using /m.test(source)) return nextLoad(url, context)
    const ts: typeof import('typescript') = createRequire(import.meta.url)('typescript')
    const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext }
    const { outputText } = ts.transpileModule(source, { compilerOptions })
    return { format: 'module', source: outputText, shortCircuit: true }
  },
})
