import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configuredProviders } from './configured-providers.ts'

const packages = readdirSync(join(import.meta.dirname, '../../..'))
const names = packages.flatMap((name) => /^provider-(.*)/.exec(name)?.[1] ?? [])

test.each(names)('a misspelt %s is answered with the name that was probably meant', async (name) => {
  for (const misspelt of [`${name}x`, name.toUpperCase(), name.slice(0, -1)])
    await expect(configuredProviders('genmount.json', { [misspelt]: true })).rejects.toThrow(
      `providers.${misspelt} in genmount.json is no provider. Did you mean ${name}?`,
    )
})
