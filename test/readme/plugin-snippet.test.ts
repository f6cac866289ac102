import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ServicePlugin } from '@genmount/core'
import { fakeWorld, pluginSuite } from '@genmount/testing'
import { temporaryFolder } from '../temporary-folder.ts'
import { codeBlocks } from './code-blocks.ts'
import { readerFolder } from './reader-folder.ts'

const page = 'packages/docs/pages/write-a-plugin.md'
const [snippet = ''] = codeBlocks('ts').flatMap(({ readme, code }) => (readme === page ? [code] : []))
// The end of the block makes the reader's own service.
const plugin = snippet.slice(0, snippet.indexOf('const audited ='))
const folder = readerFolder({ 'package.json': { type: 'module' }, 'audit-log.ts': plugin })
const { auditLog }: { readonly auditLog: (options: { file: string; keepDays?: number }) => ServicePlugin } =
  await import(join(folder, 'audit-log.ts'))

test('the plugin on the page about writing a plugin has at most 42 lines', () => {
  expect(plugin.trim().split('\n').length).toBeLessThanOrEqual(42)
})

test('the audit log on the page about writing a plugin has a line for each phase of a job, until it is too old', async () => {
  const file = join(temporaryFolder(), 'audit.jsonl')
  const { create, clock, service } = fakeWorld({}, { plugins: [auditLog({ file, keepDays: 2 })] })
  const lines = () => readFileSync(file, 'utf8').trim().split('\n')
  await service.ready()
  const { id } = await create()
  await clock.advance(60_000)
  await service.settled()
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { id, owner: 'alice', model: 'fake-image', phase: 'accepted', costUsd: 0 },
    { id, phase: 'submitting' },
    { id, phase: 'collecting' },
    { id, phase: 'completed', costUsd: 0.01 },
  ])
  await clock.advance(3 * 24 * 3_600_000)
  await expect.poll(() => clock.advance(1000).then(() => readFileSync(file, 'utf8'))).toBe('')
  await service.close()
})

describe('the plugin on the page about writing a plugin keeps the contract of plugins', () => {
  const suite = pluginSuite(() => ({ plugin: auditLog({ file: join(temporaryFolder(), 'audit.jsonl') }) }))
  for (const [name, run] of Object.entries(suite)) test(name, run)
})
