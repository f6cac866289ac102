import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelEnds } from '@genmount/core'
import { expect, test } from 'vitest'
import { foundVendors, vendorVariables } from '../../packages/cli/src/vendors/found-vendors.ts'
import { repo } from '../processes/repo.ts'
import { readmes } from './code-blocks.ts'

/**
 * Further models that nobody should begin with: their vendors have shut them down, and no provider of this repository calls them,
 * or sources disagree on their last day.
 */
const others: Readonly<Record<string, string>> = {
  // https://developers.openai.com/api/docs/deprecations
  'sora-2': '2026-09-24',
  // https://ai.google.dev/gemini-api/docs/deprecations
  // BerriAI/litellm#44983. Google's changelog of 2026-10-08 says that it is deprecated, without a day.
  'gemini-3.1-flash-image': '2026-10-29',
  'imagen-4.0-generate-001': '2026-08-17',
  'veo-2.0-generate-001': '2026-06-30',
  'veo-3.0-generate-001': '2026-06-30',
  'veo-3.1-generate-preview': '2026-10-22',
  'veo-3.1-fast-generate-preview': '2026-10-22',
}

const tables = globSync('packages/*/src/**/model-ends.ts', {
  cwd: repo,
})

/** The days on which models end, by their names at their vendors: what the providers know, and what no provider needs. */
async function endDays(): Promise<ReadonlyMap<string, string>> {
  const modules = tables.map((file): Promise<{ modelEnds: ModelEnds }> => import(join(repo, file)))
  const ends = (await Promise.all(modules)).flatMap(({ modelEnds }) => Object.entries(modelEnds))
  return new Map([...ends.map(([name, { on }]) => [name, on] as const), ...Object.entries(others)])
}

/** What people copy from: the pages, and the code with its comments, which also become the reference of the exports. */
const files = [
  ...readmes,
  ...globSync(['packages/*/src/**/*.ts', 'examples/*/*.ts'], {
    cwd: repo,
    exclude: (path) => path.endsWith('.test.ts'),
  }),
].filter((file) => !tables.includes(file))

/** A paragraph that tells the end of a model may name it. */
const tellsAnEnd = /\b(has ended|have ended|ended on|shut down|shuts down|retired)\b/

/** The models in a text that end on a known day. */
function endingModelsIn(text: string, days: ReadonlyMap<string, string>): readonly string[] {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => !tellsAnEnd.test(paragraph))
    .flatMap((paragraph) => paragraph.match(/[\w.-]+\w/g) ?? [])
    .flatMap((word) => (days.has(word) ? `${word}, which ends on ${days.get(word)}` : []))
}

test('no page and no source offers a model that its vendor has shut down or will', async () => {
  const days = await endDays()
  expect(days.size).toBeGreaterThan(15)
  const offers = files.flatMap((file) =>
    endingModelsIn(readFileSync(join(repo, file), 'utf8'), days).map((words) => `${file}: ${words}`),
  )
  expect(offers).toEqual([])
})

test('a model that ends is noticed in an example, and may be named where its end is told', async () => {
  const days = await endDays()
  const example = "openaiProvider({ models: { 'gpt-image-1.5': {} } })"
  expect(endingModelsIn(example, days)).toEqual(['gpt-image-1.5, which ends on 2026-12-01'])
  expect(endingModelsIn('OpenAI shuts down gpt-image-1.5 in December.', days)).toEqual([])
})

test('no model that a server offers by default has an announced end', async () => {
  const environment = Object.fromEntries(vendorVariables.map((variable) => [variable, 'http://127.0.0.1:1']))
  const { models } = await foundVendors(environment)
  const offered = models.flatMap((each) => ('routes' in each ? each.model : each.models))
  expect(offered.length).toBeGreaterThan(vendorVariables.length)
  expect(offered.filter(({ end }) => end).map(({ id, end }) => `${id} ends on ${end?.on}`)).toEqual([])
})
