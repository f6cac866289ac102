import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedPackages } from '../packaging/packed-packages.ts'
import { codeBlocks } from './code-blocks.ts'
import { readerFolder } from './reader-folder.ts'
import { typeErrors } from './type-errors.ts'

/** The code blocks of the site by which readers write a provider. */
const blocks = codeBlocks('ts').filter(
  ({ readme, code }) =>
    readme === 'packages/docs/pages/write-a-provider.md' && code.includes('import type { Provider'),
)

/** A project of a reader whose TypeScript knows Node.js and no browser. */
const project = {
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
  include: ['*.ts', 'core'],
}

const folder = readerFolder({
  'package.json': { type: 'module' },
  'tsconfig.json': project,
  'globals.d.ts':
    'import type { Provider } from "@genmount/core"\ndeclare global { const myProvider: () => Provider }\n',
  ...Object.fromEntries(blocks.map(({ code }, index) => [`block-${index}.ts`, code])),
})

test('the providers on the page about writing a provider, and the published types of core, compile without the DOM', async () => {
  expect(blocks).toHaveLength(2)
  const { folder: core } = (await packedPackages())['@genmount/core']!
  cpSync(join(core, 'dist'), join(folder, 'core'), { recursive: true })
  expect(await typeErrors(folder)).toBe('')
})
