import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../examples/started-server.ts'
import { served } from '../served.ts'
import { emptyFolder, genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test('the types of a running server accept its inputs, and find a wrong field and a wrong value', async () => {
  const { env } = await startServer()
  const cwd = emptyFolder()
  const { code, stderr } = await genmount(['types', '-o', 'models.d.ts'], { cwd, env })
  expect([code, stderr]).toEqual([0, 'models.d.ts has the types of 2 models.\n'])
  symlinkSync(join(repo, 'node_modules'), join(cwd, 'node_modules'))
  writeFileSync(
    join(cwd, 'app.ts'),
    `import { createClient } from '@genmount/client'
import type { Models } from './models.js'
const client = createClient<Models>({ baseUrl: 'http://127.0.0.1' })
void client.create({ model: 'procedural-image', prompt: 'a', seed: 7, format: 'webp' })
void client.create({ model: 'procedural-video', prompt: 'a', duration: 3 })
// @ts-expect-error no such field
void client.create({ model: 'procedural-image', prompt: 'a', sed: 7 })
// @ts-expect-error no such value
void client.create({ model: 'procedural-image', prompt: 'a', format: 'bmp' })
// @ts-expect-error the prompt is missing
void client.create({ model: 'procedural-video', duration: 3 })
// @ts-expect-error no such model
void client.create({ model: 'flux', prompt: 'a' })
`,
  )
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(cwd, 'tsconfig.json'),
    JSON.stringify({ extends: join(repo, 'tsconfig.json'), include: ['*.ts'], exclude: ['node_modules'] }),
  )
  const { stdout } = spawnSync(process.execPath, [join(repo, 'node_modules/typescript/bin/tsc'), '-p', cwd], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
})

/** A server whose models have this schema, or none. */
const withSchema = (schema: unknown) =>
  served((_req, res) => {
    const model = { id: 'a/b model', object: 'model', output_kind: 'image', input_schema: schema }
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [model] }))
  })

test('schemas that refer to parts of themselves have their types', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { size: { $ref: '#/$defs/side' }, title: { type: 'string' } },
    $defs: { side: { enum: [256, 512] } },
    additionalProperties: false,
  }
  const { code, stdout } = await genmount(['types', '--url', await withSchema(schema)])
  expect(code).toBe(0)
  expect(stdout.toString()).toMatch(/'a\/b model': \{\n\s+size\?: .*\n\s+title\?: string\n/)
  expect(stdout.toString()).toContain('256 | 512')
})

test('a model whose fields are not known takes any', async () => {
  const { stdout } = await genmount(['types', '--url', await withSchema(null)])
  expect(stdout.toString()).toContain('[k: string]: unknown')
})

test('a schema reads no file and can not write code', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'secret.json'), '{ "enum": ["s3cret"] }')
  const outside = { type: 'object', properties: { a: { $ref: `file://${folder}/secret.json` } } }
  const { code, stdout } = await genmount(['types', '--url', await withSchema(outside)])
  expect([code, stdout.toString()]).toEqual([0, expect.stringContaining('a?: unknown\n')])
  const evil = {
    type: 'object',
    properties: { a: { type: 'string', description: 'x */ declare const evil: 1 /*' } },
  }
  const written = await genmount(['types', '--url', await withSchema(evil)])
  expect(written.code).toBe(0)
  expect(written.stdout.toString()).not.toMatch(/\*\/ declare/)
})
