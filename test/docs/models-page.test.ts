import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arkModels } from '@genmount/provider-ark/models'
import { bflModels } from '@genmount/provider-bfl/models'
import { comfyRouterModels } from '@genmount/provider-comfyui/router-models'
import { falModels } from '@genmount/provider-fal/models'
import { geminiOmniModels, googleModels } from '@genmount/provider-google/models'
import { openaiModels } from '@genmount/provider-openai/models'
import { replicateModels } from '@genmount/provider-replicate/models'
import { runwayModels } from '@genmount/provider-runway/models'
import { xaiModels } from '@genmount/provider-xai/models'
import { expect, test } from 'vitest'
import { klingModels, openrouterModels, runpodModels } from '../../packages/cli/src/vendors/hosted-models.ts'
import { vendorVariables } from '../../packages/cli/src/vendors/found-vendors.ts'
import { repo } from '../processes/repo.ts'

/** A catalogue: the entry that has it, and the ids of its models. */
interface Catalogue {
  readonly entry: string
  readonly ids: readonly string[]
}

const listed = (entry: string, models: object): Catalogue => ({
  entry,
  ids: Object.values(models).map(({ id }: { readonly id: string }) => id),
})
const keyed = (entry: string, ...models: readonly object[]): Catalogue => ({
  entry,
  ids: models.flatMap((each) => Object.keys(each)),
})

/** The catalogues by the variable that has the key of their vendor. */
const catalogues: Readonly<Record<string, Catalogue>> = {
  FAL_KEY: listed('provider-fal/models', falModels),
  REPLICATE_API_TOKEN: listed('provider-replicate/models', replicateModels),
  COMFY_API_KEY: listed('provider-comfyui/router-models', comfyRouterModels),
  OPENAI_API_KEY: keyed('provider-openai/models', openaiModels),
  GEMINI_API_KEY: keyed('provider-google/models', googleModels, geminiOmniModels),
  BFL_API_KEY: keyed('provider-bfl/models', bflModels),
  RUNWAYML_API_SECRET: keyed('provider-runway/models', runwayModels),
  ARK_API_KEY: keyed('provider-ark/models', arkModels),
  XAI_API_KEY: keyed('provider-xai/models', xaiModels),
  OPENROUTER_API_KEY: keyed('provider-openai/openrouter', openrouterModels),
  KLING_API_KEY: keyed('provider-kling', klingModels),
  RUNPOD_API_KEY: keyed('provider-runpod', runpodModels),
}

/** The cells of the rows of the page's table. */
function rowsOf(page: string): readonly (readonly string[])[] {
  const lines = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Model|-+) /.test(line))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')),
  )
}

/** What is wrong with the rows of a page: models that no catalogue holds, by the key and the id that the row names. */
function faultsIn(page: string): readonly string[] {
  return rowsOf(page).flatMap(([model, key = '', entry = '', id = '', also = '']) => {
    const further = [...also.matchAll(/`([A-Z_]+)`: `([^`]+)`/g)].map(([, other = '', otherId = '']) => [
      other,
      otherId,
    ])
    const lacking = [[key, id], ...further].filter(
      ([name = '', each = '']) => !catalogues[name]?.ids.includes(each),
    )
    const faults = lacking.map(([name, each]) => `${model}: ${name} has no ${each}`)
    return entry === `@genmount/${catalogues[key]?.entry}`
      ? faults
      : [...faults, `${model}: ${key} is not for ${entry}`]
  })
}

const page = readFileSync(join(repo, 'packages/docs/pages/models.md'), 'utf8')

test('the page about models has 40 models, each once, and each id is in the catalogue of its key', () => {
  const models = rowsOf(page).map(([model]) => model)
  expect(models).toHaveLength(40)
  expect(new Set(models).size).toBe(40)
  expect(faultsIn(page)).toEqual([])
  expect(Object.keys(catalogues).filter((key) => !vendorVariables.includes(key))).toEqual([])
})

test.each([
  ['`gemini-3-pro-image`', '`nano-banana-9`', 'Nano Banana Pro'],
  ['`kling-3-turbo`', '`kling-9`', 'Kling 3 Turbo'],
  ['`gen4.5`', '`toString`', 'Runway Gen-4.5'],
  ['`@genmount/provider-xai/models`', '`@genmount/provider-fal/models`', 'Grok Imagine Image 2.0'],
])('a row that names %s wrongly, as %s, is noticed', (right, wrong, model) => {
  const changed = page
    .split('\n')
    .map((line) => (line.includes(`| ${model} `) ? line.replace(right, wrong) : line))
  expect(changed.join('\n')).not.toBe(page)
  expect(faultsIn(changed.join('\n')).length).toBeGreaterThan(0)
})
