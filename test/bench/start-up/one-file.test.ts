import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputOf } from '../../processes/run-program.ts'
import { repo } from '../../processes/repo.ts'
import { codeBlocks } from '../../readme/code-blocks.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { coldStart } from './cold-start.ts'

test('the command on the page What it costs makes one file of a server, which answers where none of its packages are', async () => {
  const [block] = codeBlocks('sh').filter(({ readme }) => readme.endsWith('/what-it-costs.md'))
  const [, options = ''] =
    /^npx esbuild server\.ts (.*) --outfile=server\.mjs$/m.exec(block?.code ?? '') ?? []
  const file = join(temporaryFolder(), 'server.mjs')
  await outputOf([
    join(repo, 'node_modules/.bin/esbuild'),
    join(import.meta.dirname, 'servers/genmount-node.ts'),
    ...options.split(' '),
    '--conditions=@genmount/source',
    `--outfile=${file}`,
  ])
  const { megabytes } = await coldStart((port) => [process.execPath, file, String(port)])
  expect(megabytes).toBeGreaterThan(10)
})
