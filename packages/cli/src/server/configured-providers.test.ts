import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configuredProviders } from './configured-providers.ts'

const packages = readdirSync(join(import.meta.dirname, '../../..'))
/** Those that are an entry of another provider's package. */
const entries = ['gemini-omni', 'openai-compatible', 'openai-responses', 'openai-videos', 'openrouter']
const names = [...packages.flatMap((name) => /^provider-(?!kit$)(.*)/.exec(name)?.[1] ?? []), ...entries]

test.each(names)('a misspelt %s is answered with the name that was probably meant', async (name) => {
  for (const misspelt of [`${name}x`, name.toUpperCase(), name.slice(0, -1)])
    await expect(configuredProviders('genmount.json', { [misspelt]: true })).rejects.toThrow(
      `providers.${misspelt} in genmount.json is no provider. Did you mean ${name}?`,
    )
})

test.each(entries)(
  'a configuration file names %s by itself, although another package has it',
  async (name) => {
    const baseUrl = 'http://127.0.0.1:9/v1'
    const { providers } = await configuredProviders('genmount.json', {
      [name]: {
        token: 'key',
        baseUrl,
        models: { it: name === 'openai-responses' ? { caller: { model: 'gpt-5.6-luna' } } : {} },
      },
    })
    expect(providers.map((provider) => provider.name)).toEqual([name])
  },
)
