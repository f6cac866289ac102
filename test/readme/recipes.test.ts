import { expect, test } from 'vitest'
import { codeBlocks, recipes } from './code-blocks.ts'

test('READMEs show the programs of test/projects exactly as tests run them', () => {
  const shown = codeBlocks('ts')
    .filter(({ code }) => recipes.has(code))
    .map(({ readme, code }) => `${readme}: ${recipes.get(code)}`)
  expect(shown).toEqual([
    'packages/backend-cloudflare/README.md: test/workerd/owner-objects/worker.ts',
    'packages/express-middleware/README.md: express/server.ts',
    'packages/express-middleware/README.md: nest/src/main.ts',
    'packages/fetch-handler/README.md: hono/server.ts',
    'packages/fetch-handler/README.md: next/media.ts',
    'packages/fetch-handler/README.md: next/app/media/v1/[...path]/route.ts',
    'packages/fetch-handler/README.md: next/instrumentation.ts',
    'packages/fetch-handler/README.md: next/instrumentation-node.ts',
    'packages/fetch-handler/README.md: next/next.config.ts',
    'packages/fetch-handler/README.md: bun/server.ts',
    'packages/fetch-handler/README.md: deno/server.ts',
    'packages/files-s3/README.md: test/files-s3/own-bucket.ts',
    'packages/node-http/README.md: node-http/server.ts',
    'packages/node-http/README.md: fastify/server.ts',
  ])
})
