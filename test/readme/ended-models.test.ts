import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repo } from '../processes/repo.ts'
import { readmes } from './code-blocks.ts'

/**
 * Models that their vendors have ended, or end soon, and where that is written. Read on 2026-11-23. A fact that only
 * customers of the vendor report is marked as such.
 */
const ended: Readonly<Record<string, string>> = {
  // https://developers.openai.com/api/docs/deprecations, and the models' own pages
  'gpt-image-1': 'shut down on 2026-10-23',
  'gpt-image-1-mini': 'shuts down on 2026-12-01',
  'gpt-image-1.5': 'shuts down on 2026-12-01',
  'sora-2': 'shut down on 2026-09-24',
  // https://docs.x.ai/developers/migration/imagine-image-quality-nov-2 and may-15-retirement
  'grok-imagine-image-quality': 'served by grok-imagine-image-2.0 since 2026-11-02, at another price',
  'grok-imagine-image-pro': 'retired on 2026-05-15',
  // Customers: github.com/orgs/cometapi-dev/discussions/140 (2026-11-11), docs.venice.ai/changelog (November 2026)
  'seedance-1-5-pro-251215': 'retired on 2026-11-11',
  // https://ai.google.dev/gemini-api/docs/deprecations
  'gemini-3.1-flash-image': 'shut down on 2026-10-29',
  'gemini-omni-flash-preview': 'shut down on 2026-09-30',
  'gemini-3-pro-image-preview': 'shut down on 2026-06-25',
  'gemini-3.1-flash-image-preview': 'shut down on 2026-06-25',
  'imagen-4.0-generate-001': 'shut down on 2026-08-17',
  'veo-2.0-generate-001': 'shut down on 2026-06-30',
  'veo-3.0-generate-001': 'shut down on 2026-06-30',
  'veo-3.1-generate-preview': 'shut down on 2026-10-22',
  'veo-3.1-fast-generate-preview': 'shut down on 2026-10-22',
  // Runway's skills, and Comfy-Org/docs#1326
  gen3a_turbo: 'retired on 2026-07-30',
}

/** What people copy from: the pages, and the code with its comments, which also become the reference of the exports. */
const files = [
  ...readmes,
  ...globSync(['packages/*/src/**/*.ts', 'examples/*/*.ts'], {
    cwd: repo,
    exclude: (path) => path.endsWith('.test.ts'),
  }),
]

/** A paragraph that tells the end of a model may name it. */
const tellsAnEnd = /\b(has ended|have ended|ended on|shut down|shuts down|retired)\b/

test('no page and no source offers a model that its vendor has shut down or will soon', () => {
  const offers = files.flatMap((file) =>
    readFileSync(join(repo, file), 'utf8')
      .split(/\n\s*\n/)
      .filter((paragraph) => !tellsAnEnd.test(paragraph))
      .flatMap((paragraph) => paragraph.match(/[\w.-]+\w/g) ?? [])
      .filter((word) => Object.hasOwn(ended, word))
      .map((word) => `${file}: ${word}, ${ended[word]}`),
  )
  expect(offers).toEqual([])
})
