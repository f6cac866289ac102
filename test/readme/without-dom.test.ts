import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { codeBlocks, repository } from './code-blocks.ts'

/** The code blocks of the site by which readers write a provider. */
const blocks = codeBlocks('ts').filter(
  ({ readme, code }) =>
    readme === 'packages/docs/pages/write-a-provider.md' && code.includes('import type { Provider'),
)

test('the providers on the page on providers, and the types of core as published, need no DOM but only those of Node', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-without-dom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const write = (name: string, json: object) => writeFileSync(join(folder, name), JSON.stringify(json))
  const compile = async (config: string) => {
    const [node] = runtimes.node
    const tsc = join(repository, 'node_modules/typescript/bin/tsc')
    const ran = promisify(execFile)(node, [tsc, '-p', join(folder, config)], { timeout: 170_000 })
    return ran.then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    )
  }

  write('declarations.json', {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(repository, 'packages/core/src'),
      outDir: join(folder, 'core'),
      typeRoots: [join(repository, 'node_modules/@types')],
    },
    include: [],
    files: [join(repository, 'packages/core/src/index.ts')],
  })
  expect(await compile('declarations.json')).toBe('')

  write('package.json', { type: 'module' })
  blocks.forEach(({ code }, index) => writeFileSync(join(folder, `block-${index}.ts`), code))
  const globals =
    'import type { Provider } from "@genmount/core"\ndeclare global { const myProvider: () => Provider }\n'
  writeFileSync(join(folder, 'globals.d.ts'), globals)
  write('tsconfig.json', {
    compilerOptions: {
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      paths: { '@genmount/core': ['./core/index.d.ts'] },
    },
    include: ['*.ts'],
  })
  expect(blocks).toHaveLength(2)
  expect(await compile('tsconfig.json')).toBe('')
}, 200_000)
