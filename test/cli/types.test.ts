import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { typeErrors } from '../readme/type-errors.ts'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount, genmountHere } from './genmount.ts'
import { startServer } from './start-server.ts'

test('the types that genmount types writes accept valid inputs of the server, and refuse a wrong field or value', async () => {
  const { env } = await startServer()
  const cwd = temporaryFolder()
  const { exit, stderr } = await genmount(['types', '-o', 'models.d.ts'], { cwd, env })
  expect([exit, stderr]).toEqual([0, 'models.d.ts has the types of 2 models.\n'])
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
  expect(await typeErrors(cwd)).toBe('')
})

/** A server whose models have this schema, or none. */
const withSchema = (schema: unknown) =>
  served((_req, res) => {
    const model = { id: 'a/b model', object: 'model', output_kind: 'image', input_schema: schema }
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data: [model] }))
  })

test('genmount types writes types for schemas with $ref', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { size: { $ref: '#/$defs/side' }, title: { type: 'string' } },
    $defs: { side: { enum: [256, 512] } },
    additionalProperties: false,
  }
  const { exit, stdout } = await genmountHere(['types', '--url', await withSchema(schema)])
  expect(exit).toBe(0)
  expect(stdout).toMatch(/'a\/b model': \{\n\s+size\?: .*\n\s+title\?: string\n/)
  expect(stdout).toContain('256 | 512')
})

test('genmount types lets a model without a schema take any field', async () => {
  const { stdout } = await genmountHere(['types', '--url', await withSchema(null)])
  expect(stdout).toContain('[k: string]: unknown')
})

test('genmount types reads no file for a $ref of a schema, and writes no code from its descriptions', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'secret.json'), '{ "enum": ["s3cret"] }')
  const outside = { type: 'object', properties: { a: { $ref: `file://${folder}/secret.json` } } }
  const { exit, stdout } = await genmountHere(['types', '--url', await withSchema(outside)])
  expect([exit, stdout]).toEqual([0, expect.stringContaining('a?: unknown\n')])
  const evil = {
    type: 'object',
    properties: { a: { type: 'string', description: 'x */ declare const evil: 1 /*' } },
  }
  const written = await genmountHere(['types', '--url', await withSchema(evil)])
  expect(written.exit).toBe(0)
  expect(written.stdout).not.toMatch(/\*\/ declare/)
})
