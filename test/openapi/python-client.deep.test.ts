import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { uploads } from '@genmount/core/uploads'
import { usage } from '@genmount/core/usage'
import { webhooks } from '@genmount/core/webhooks'
import { createGenerationService, type GenerationService, type Model } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, fakeWebhooks, quietLog } from '@genmount/testing'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { expect, onTestFinished, test, type TestContext } from 'vitest'
import { z } from 'zod'
import { outputOf } from '../processes/run-program.ts'
import { served } from '../served.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const installMs = 10 * 60_000
const key = 'key-of-alice'
const programs = join(import.meta.dirname, 'python-client')

/** A folder with Python and the generator, at the versions that the folder `python-client` lists. */
async function folderWithGenerator(context: TestContext): Promise<string> {
  const folder = temporaryFolder()
  const requirements = join(programs, 'requirements.txt')
  try {
    await outputOf(['python3', '-m', 'venv', join(folder, 'venv')])
    const install = ['-m', 'pip', 'install', '--quiet', '--requirement', requirements]
    await outputOf([join(folder, 'venv/bin/python'), ...install], { timeoutMs: installMs })
  } catch (cause) {
    console.warn('openapi-python-client could not be installed, so this part did not run.', cause)
    context.skip('This part did not run: it needs python3 with venv, and PyPI.')
  }
  return folder
}

async function serverOf(service: GenerationService): Promise<string> {
  onTestFinished(async () => void (await service.close()))
  const authenticate = apiKeys({ alice: key })
  return served(toNodeHandler(service, { authenticate, openapi: openapiDocument() }))
}

/** Generates a client from what the server says about itself, and requires that the generator has nothing to complain about. */
async function generateClient(folder: string, origin: string) {
  const headers = { authorization: `Bearer ${key}` }
  const document = (await (await fetch(`${origin}/v1/openapi.json`, { headers })).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const bin = join(folder, '../venv/bin')
  const options = '--path openapi.json --meta none --output-path generated --fail-on-warning'
  const output = await outputOf([join(bin, 'openapi-python-client'), 'generate', ...options.split(' ')], {
    cwd: folder,
    env: { PATH: `${bin}${delimiter}${process.env['PATH']}` },
  })
  expect(output.trim()).toBe('Generating generated')
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const names = operations.map(({ operationId }) => operationId).filter((name) => name !== undefined)
  return {
    documented: names.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    generated: readdirSync(join(folder, 'generated/api/default'))
      .filter((file) => file !== '__init__.py' && file.endsWith('.py'))
      .map((file) => file.slice(0, -'.py'.length)),
  }
}

const tree: z.ZodType = z.strictObject({
  text: z.string(),
  get next() {
    return tree.optional()
  },
})

/** Models whose ids and inputs make generators stumble: ids that differ in their signs alone, and inputs with objects and trees. */
const oddModels: readonly Model[] = ['image', 'Video', 'flux.1', 'flux-1', 'acme/flux_1'].map((id) => ({
  id,
  outputKind: id === 'Video' ? 'video' : 'image',
  input: z.strictObject({
    prompt: z.string(),
    tree: tree.optional(),
    options: z.strictObject({ size: z.enum(['s', 'm']), parts: z.array(z.strictObject({ n: z.int() })) }),
  }),
}))

test(
  'openapi-python-client generates every operation from the document of a server, and a program works with it',
  { timeout: 2 * installMs },
  async (context) => {
    const folder = await folderWithGenerator(context)
    const full = createGenerationService({
      providers: [fakeProvider({ cancel: true }), { ...fakeProvider(), name: 'odd', models: oddModels }],
      plugins: [uploads(), usage(), webhooks(fakeWebhooks())],
      log: quietLog(),
    })
    const origin = await serverOf(full)
    const { documented, generated } = await generateClient(join(folder, 'full'), origin)
    expect(generated.toSorted()).toEqual(documented.toSorted())
    const command = [join(folder, 'venv/bin/python'), join(programs, 'cases.py')] as const
    const output = await outputOf(command, { cwd: join(folder, 'full'), env: { BASE: origin, KEY: key } })
    const cases = ['created', 'repeated', 'waited', 'estimated', 'listed', 'model', 'canceled', 'error']
    expect(output.trim().split('\n')).toEqual(cases)

    const [only] = oddModels
    const small = createGenerationService({
      providers: [{ ...fakeProvider(), models: [only!] }],
      log: quietLog(),
    })
    const ofSmall = await generateClient(join(folder, 'small'), await serverOf(small))
    expect(ofSmall.generated.toSorted()).toEqual(ofSmall.documented.toSorted())
  },
)
