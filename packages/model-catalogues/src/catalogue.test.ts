import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { readCatalogues } from './catalogue.ts'
import { storedDocuments } from './documents.ts'
import { keptSchemas } from './vendor-schema.ts'

const kling = 'fal-ai/kling-video/v3/turbo/pro/text-to-video'
const minimax = 'minimax/h3/text-to-video'
const seedance = 'bytedance/seedance-2.5'
const wanted = { fal: [kling, minimax], replicate: [seedance], 'comfy-router': [] }
const klingPage = `fal.ai_models_${kling.replaceAll('/', '_')}_llms.txt`
const fluxDocument = 'api.comfy.org_v2_models_bfl_flux-3-image_openapi.json'

/** A folder with copies of the documents, which a test may change, and one for what is read. */
function setUp() {
  const copies = join(temporaryFolder(), 'copies')
  cpSync(join(import.meta.dirname, '../copies'), copies, { recursive: true })
  const into = temporaryFolder()
  const change = (file: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(copies, file), 'utf8')
    expect(text.replace(from, to)).not.toBe(text)
    writeFileSync(join(copies, file), text.replace(from, to))
  }
  const read = (date: string) =>
    readCatalogues({ read: storedDocuments(copies), isGoneWithoutDocuments: false, into, date, wanted })
  return { copies, into, change, read }
}

test('the first reading says of each model that it is new, and keeps its fields and price with the date', async () => {
  const { into, read } = setUp()
  const { changes, faults } = await read('2026-11-27')
  expect(faults).toEqual([])
  expect(changes.map((line) => line.split(' is new')[0])).toEqual([
    `- ${kling}`,
    `- ${minimax}`,
    `- ${seedance}`,
    '- bfl/flux-3-image',
  ])
  expect(keptSchemas('fal', into).get(kling)).toMatchObject({
    date: '2026-11-27',
    source: `https://fal.ai/models/${kling}/llms.txt`,
    price: expect.stringMatching(/^For every second of video you generate, you will be charged \$0\.14 \./),
    schema: {
      required: [],
      properties: {
        prompt: { type: 'string' },
        multi_prompt: { type: 'array' },
        aspect_ratio: { enum: ['16:9', '9:16', '1:1'], default: '16:9' },
        cfg_scale: { type: 'number', default: 0.5, minimum: 0, maximum: 1 },
      },
    },
  })
  expect(keptSchemas('fal', into).get(minimax)?.schema.properties['resolution']).toEqual({
    type: 'string',
    enum: ['2K'],
    default: '2K',
  })
  expect(keptSchemas('replicate', into).get(seedance)?.schema.properties['resolution']).toEqual({
    type: 'string',
    enum: ['480p', '720p'],
    default: '720p',
  })
  expect(keptSchemas('comfy-router', into).get('bfl/flux-3-image')?.schema.required).toEqual(['prompt'])
  expect(readFileSync(join(into, 'changes.md'), 'utf8')).toMatch(/^# Changes of 2026-11-27\n\n- fal-ai/)
})

test('a later reading says what has changed, and leaves models without a change at their date', async () => {
  const { into, change, read } = setUp()
  await read('2026-11-27')
  expect(await read('2026-11-28')).toEqual({ changes: [], faults: [] })
  expect(readFileSync(join(into, 'changes.md'), 'utf8')).toContain('Nothing has changed.')
  change(klingPage, '$0.14', '$0.16')
  change('api.replicate.com_v1_models_bytedance_seedance-2.5', '"720p"\n', '"720p", "1080p"\n')
  change(fluxDocument, '"aspect_ratio"', '"shape"')
  const { changes, faults } = await read('2026-11-29')
  expect(faults).toEqual([])
  expect(changes).toEqual([
    expect.stringMatching(/^- fal-ai\/kling.* changed its price from "For .*\$0\.14 .*" to "For .*\$0\.16 /),
    expect.stringMatching(/^- bytedance\/seedance-2\.5 changed resolution from .*"720p".* to .*"1080p"/),
    '- bfl/flux-3-image has no field aspect_ratio any more.',
    expect.stringMatching(/^- bfl\/flux-3-image has the new field shape: \{"enum"/),
  ])
  const dates = [...keptSchemas('fal', into).values()].map(({ model, date }) => [model, date])
  expect(Object.fromEntries(dates)).toEqual({ [kling]: '2026-11-29', [minimax]: '2026-11-27' })
})

test('a model that the vendor lists no more is gone, and one that it lists since is new', async () => {
  const { copies, change, read } = setUp()
  await read('2026-11-27')
  change('api.comfy.org_v2_models_limit_50', '"bfl/flux-3-image"', '"bfl/flux-4-image"')
  cpSync(join(copies, fluxDocument), join(copies, fluxDocument.replace('flux-3', 'flux-4')))
  const { changes } = await read('2026-11-28')
  expect(changes).toEqual([
    expect.stringMatching(/^- bfl\/flux-4-image is new: prompt, images/),
    '- bfl/flux-3-image is gone.',
  ])
})

test.each<[string, string, string | RegExp, string, RegExp]>([
  [
    'a word of JSON Schema',
    fluxDocument,
    '"maximum": 4',
    '"not": {"const": 3}',
    /^comfy-router: bfl\/flux-3-image: Input\.safety_tolerance has "not", a word that the catalogue does not know\.$/,
  ],
  [
    'a type of a parameter',
    klingPage,
    '`float`',
    '`complex number`',
    /^fal: fal-ai\/kling.*: llms\.txt gives cfg_scale the unknown type complex number\.$/,
  ],
  [
    'a line of a parameter',
    klingPage,
    '- **`prompt`** (`string`, _optional_):',
    '- prompt, a string',
    /^fal: fal-ai\/kling.*: llms\.txt has a parameter of an unknown shape: - prompt, a string$/,
  ],
  ['a page without a price', klingPage, '## Pricing', '## Costs', /no words below "## Pricing"/],
  [
    'a page of another model',
    klingPage,
    /(Model ID\*\*: `)[^`]+/,
    '$1acme/film',
    /names the model acme\/film/,
  ],
  ['a list', 'api.comfy.org_v2_models_limit_50', '"data"', '"models"', /^comfy-router: the list: .*no data/],
  [
    'an answer without a schema',
    'api.replicate.com_v1_models_bytedance_seedance-2.5',
    '"Input"',
    '"Arguments"',
    /^replicate: bytedance\/seedance-2\.5: .*no schema/,
  ],
])(
  '%s of an unknown shape fails the reading by name, and nothing is written',
  async (_what, file, from, to, words) => {
    const { into, change, read } = setUp()
    change(file, from, to)
    const { faults } = await read('2026-11-27')
    expect(faults).toEqual([expect.stringMatching(words)])
    expect(readdirSync(into)).toEqual([])
    expect(existsSync(join(into, 'changes.md'))).toBe(false)
  },
)
