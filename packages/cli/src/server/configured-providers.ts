import { nearestName, type Provider } from '@genmount/core'
import { loaded } from './loaded.ts'

/** Providers that need no key and cost nothing. */
const ofThisMachine = ['procedural', 'esrgan']
/** Providers that are an entry of the package of another provider. */
const entries: ReadonlyMap<string, string> = new Map([
  ['comfy-api', 'comfyui/api-v2'],
  ['comfy-router', 'comfyui/router'],
  ['gemini-omni', 'google/omni'],
  ['openai-compatible', 'openai/compatible'],
  ['openai-responses', 'openai/responses'],
  ['openai-videos', 'openai/videos'],
  ['openrouter', 'openai/openrouter'],
])
/** The providers of genmount. The file may also name others, whose packages have names of the same form. */
const vendors = [
  ...ofThisMachine,
  ...entries.keys(),
  'a1111',
  'ai-sdk',
  'ark',
  'bfl',
  'comfyui',
  'fal',
  'google',
  'kling',
  'openai',
  'replicate',
  'runpod',
  'runway',
  'xai',
]

/** The providers that a configuration file names. */
export interface ConfiguredProviders {
  readonly providers: readonly Provider[]
  /** The providers that may cost money, under their names in the file. */
  readonly paid: readonly string[]
}

/**
 * Makes the providers of the configuration file: `fal` is `falProvider` of `@genmount/provider-fal` with these options.
 * @throws Error that names the provider and says what is wrong
 */
export async function configuredProviders(
  file: string,
  config: Readonly<Record<string, unknown>>,
): Promise<ConfiguredProviders> {
  const chosen = Object.entries(config).filter(([, options]) => options !== false)
  if (chosen.length === 0)
    throw new Error(`providers in ${file} must name at least one, such as { "procedural": true }.`)
  return {
    providers: await Promise.all(
      chosen.map(([name, options]) => made(`providers.${name} in ${file}`, name, options)),
    ),
    paid: chosen
      .map(([name]) => name)
      .filter((name) => !ofThisMachine.includes(name))
      .map((name) => `providers.${name}`),
  }
}

async function made(place: string, name: string, options: unknown): Promise<Provider> {
  const meant = vendors.includes(name) ? undefined : nearestName(name, vendors)
  if (meant !== undefined) throw new Error(`${place} is no provider. Did you mean ${meant}?`)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new Error(`${place} is not the name of a provider, such as fal.`)
  const specifier = `@genmount/provider-${entries.get(name) ?? name}`
  const packageName = specifier.split('/', 2).join('/')
  const provider: Record<string, unknown> = await loaded(place, packageName, import(specifier))
  const factory = name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
  const make = provider[`${factory}Provider`] ?? provider[factory]
  if (typeof make !== 'function') throw new Error(`${place} can't be used: ${specifier} makes no provider.`)
  try {
    return make(options === true ? {} : options) as Provider
  } catch (cause) {
    throw new Error(`${place} can't be used: ${(cause as Error).message}`, { cause })
  }
}
