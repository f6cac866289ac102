import { type Provider, type RoutedModel, routeModel } from '@genmount/core'
import type { Environment } from './environment.ts'
import {
  comfyuiModels,
  klingModels,
  olderKlingModels,
  openrouterModels,
  runpodModels,
  workerComfyuiModels,
} from './hosted-models.ts'

/** How to serve the models of a vendor whose variable is set. */
interface Vendor {
  readonly variable: string
  /** Another variable of the vendor. This one is read only without it. */
  readonly insteadOf?: string
  /** Other variables that go with it. */
  readonly alsoReads?: readonly string[]
  /** @returns the vendor's provider, or those of its several interfaces */
  connect(value: string, settings: Environment): Promise<Provider | readonly Provider[]>
}

/** The models with these ids, of the catalogue of a vendor: today's best, and a cheap or quick one where there is one. */
function chosen<Catalogue extends object, Id extends keyof Catalogue>(
  catalogue: Catalogue,
  ...ids: readonly Id[]
): Pick<Catalogue, Id> {
  return Object.fromEntries(ids.map((id) => [id, catalogue[id]])) as Pick<Catalogue, Id>
}

// In order of preference, for models that two vendors have. Only the packages of vendors in use are loaded, so that the
// server starts faster.
const vendors: readonly Vendor[] = [
  {
    variable: 'FAL_KEY',
    async connect(token) {
      const { falProvider } = await import('@genmount/provider-fal')
      const { falModels: catalogue } = await import('@genmount/provider-fal/models')
      const { nanoBanana21, nanoBanana21Edit, kling3Pro, veo31, fluxSchnell } = catalogue
      // The price on the model's page. The catalogue says that it is unknown, because fal's price list shows another one.
      const flash = { ...catalogue.flux2Flash, price: 0.005, priceUnit: 'megapixel' }
      return falProvider({
        token,
        models: [nanoBanana21, nanoBanana21Edit, kling3Pro, veo31, fluxSchnell, flash],
      })
    },
  },
  {
    variable: 'REPLICATE_API_TOKEN',
    async connect(token) {
      const { replicateProvider } = await import('@genmount/provider-replicate')
      const { replicateModels: catalogue } = await import('@genmount/provider-replicate/models')
      const { nanoBananaPro, seedance25, veo31Fast, fluxSchnell } = catalogue
      return replicateProvider({ token, models: [nanoBananaPro, seedance25, veo31Fast, fluxSchnell] })
    },
  },
  {
    variable: 'OPENAI_API_KEY',
    alsoReads: ['OPENAI_BASE_URL'],
    async connect(token, { OPENAI_BASE_URL: baseUrl }) {
      const { openaiProvider } = await import('@genmount/provider-openai')
      const { openaiModels } = await import('@genmount/provider-openai/models')
      const models = chosen(openaiModels, 'gpt-image-2.6-sunburst', 'gpt-image-2.6-flare')
      return openaiProvider({ token, baseUrl, models })
    },
  },
  {
    variable: 'GEMINI_API_KEY',
    alsoReads: ['GOOGLE_GEMINI_BASE_URL'],
    async connect(token, { GOOGLE_GEMINI_BASE_URL: origin }) {
      const { googleProvider } = await import('@genmount/provider-google')
      const { geminiOmniProvider } = await import('@genmount/provider-google/omni')
      const { googleModels, geminiOmniModels } = await import('@genmount/provider-google/models')
      // Google's own SDK adds the version to this variable.
      const baseUrl = origin && `${origin.replace(/\/$/, '')}/v1beta`
      return [
        googleProvider({ token, baseUrl, models: googleModels }),
        geminiOmniProvider({ token, baseUrl, models: geminiOmniModels }),
      ]
    },
  },
  {
    variable: 'BFL_API_KEY',
    async connect(token) {
      const { bflProvider } = await import('@genmount/provider-bfl')
      const { bflModels } = await import('@genmount/provider-bfl/models')
      const models = chosen(bflModels, 'flux-3-image', 'flux-3-video', 'flux-2-max', 'flux-2-pro')
      return bflProvider({ token, models })
    },
  },
  {
    variable: 'RUNWAYML_API_SECRET',
    async connect(token) {
      const { runwayProvider } = await import('@genmount/provider-runway')
      const { runwayModels } = await import('@genmount/provider-runway/models')
      return runwayProvider({ token, models: chosen(runwayModels, 'gen4_image', 'gen4.5') })
    },
  },
  {
    variable: 'ARK_API_KEY',
    alsoReads: ['ARK_BASE_URL'],
    async connect(token, { ARK_BASE_URL: baseUrl }) {
      const { arkProvider } = await import('@genmount/provider-ark')
      const { arkModels } = await import('@genmount/provider-ark/models')
      const models = chosen(arkModels, 'seedream-4.5', 'seedance-2.5', 'seedance-2-mini')
      return arkProvider({ token, baseUrl, models })
    },
  },
  {
    variable: 'KLING_API_KEY',
    alsoReads: ['KLING_BASE_URL'],
    async connect(token, { KLING_BASE_URL: baseUrl }) {
      const { klingProvider } = await import('@genmount/provider-kling')
      return klingProvider({ token, baseUrl, models: klingModels })
    },
  },
  {
    variable: 'KLING_ACCESS_KEY',
    // The API key opens these models too.
    insteadOf: 'KLING_API_KEY',
    alsoReads: ['KLING_SECRET_KEY', 'KLING_BASE_URL'],
    async connect(accessKey, { KLING_SECRET_KEY: secretKey, KLING_BASE_URL: baseUrl }) {
      const { klingProvider } = await import('@genmount/provider-kling')
      return klingProvider({ accessKey, secretKey, baseUrl, models: olderKlingModels })
    },
  },
  {
    variable: 'XAI_API_KEY',
    async connect(token) {
      const { xaiProvider } = await import('@genmount/provider-xai')
      const { xaiModels } = await import('@genmount/provider-xai/models')
      return xaiProvider({
        token,
        models: chosen(xaiModels, 'grok-imagine-image-2.0', 'grok-imagine-video-1.5'),
      })
    },
  },
  {
    variable: 'OPENROUTER_API_KEY',
    async connect(token) {
      const { openrouterProvider } = await import('@genmount/provider-openai/openrouter')
      return openrouterProvider({ token, models: openrouterModels })
    },
  },
  {
    variable: 'RUNPOD_API_KEY',
    alsoReads: ['RUNPOD_ENDPOINT_ID'],
    async connect(token, { RUNPOD_ENDPOINT_ID: endpoint, RUNPOD_CHECKPOINT: checkpoint }) {
      const { runpodProvider } = await import('@genmount/provider-runpod')
      const own =
        endpoint === undefined
          ? {}
          : workerComfyuiModels(endpoint, checkpoint ?? 'sd_xl_base_1.0.safetensors')
      return runpodProvider({ token, models: { ...runpodModels, ...own } })
    },
  },
  {
    variable: 'COMFY_API_KEY',
    async connect(token) {
      const { comfyRouterProvider } = await import('@genmount/provider-comfyui/router')
      const { comfyRouterModels: catalogue } = await import('@genmount/provider-comfyui/router-models')
      // The Router says what most jobs have cost, so these models have a cost without a price.
      return comfyRouterProvider({
        token,
        models: [catalogue.flux3Image, catalogue.kling3Turbo, catalogue.seedance25],
      })
    },
  },
  {
    variable: 'COMFYUI_URL',
    alsoReads: ['COMFYUI_TOKEN'],
    async connect(baseUrl, { COMFYUI_CHECKPOINT: checkpoint, COMFYUI_TOKEN: token }) {
      const { comfyuiProvider } = await import('@genmount/provider-comfyui')
      const models = comfyuiModels(checkpoint ?? 'v1-5-pruned-emaonly-fp16.safetensors')
      return comfyuiProvider({ baseUrl, token, models })
    },
  },
]

/** The environment variables that `foundVendors` reads: one of each vendor. */
export const vendorVariables = vendors.filter(({ insteadOf }) => !insteadOf).map(({ variable }) => variable)

/** The other variables that it reads. */
export const furtherVariables: readonly string[] = vendors.flatMap(
  ({ variable, insteadOf, alsoReads = [] }) => [...(insteadOf === undefined ? [] : [variable]), ...alsoReads],
)

/** The vendors whose variables are set. */
export interface FoundVendors {
  /**
   * Their models. A model that two vendors have is listed once: if the first vendor can't take a job, the second vendor
   * gets it.
   */
  readonly models: readonly (Provider | RoutedModel)[]
  /** The variables that are set. */
  readonly variables: readonly string[]
  /** Lines for the operator: which vendors were found and which were not. They contain no key. */
  readonly lines: readonly string[]
}

/**
 * Finds the vendors' keys in the environment. An empty variable counts as not set.
 * @throws Error that names the variable and says what it must be. The error does not contain the value
 */
export async function foundVendors(environment: Environment): Promise<FoundVendors> {
  const settings: Environment = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value?.trim() || undefined]),
  )
  const isSet = (name: string | undefined) => name !== undefined && settings[name] !== undefined
  const configured = vendors.filter(({ variable, insteadOf }) => isSet(variable) && !isSet(insteadOf))
  const missing = vendorVariables.filter(
    (name) => !configured.some(({ variable, insteadOf }) => variable === name || insteadOf === name),
  )
  const providers = await Promise.all(configured.map((vendor) => connected(vendor, settings)))
  const lines = configured.map(({ variable }, index) => {
    const ids = providers[index]?.flatMap(idsOf) ?? []
    return `Found ${variable}: ${ids.join(', ')}`
  })
  if (missing.length > 0)
    lines.push(`Not set: ${missing.join(', ')}. With any of them, the models of its vendor are served too.`)
  return {
    models: offered(providers.flat()),
    variables: configured.map(({ variable }) => variable),
    lines: lines,
  }
}

async function connected(
  { variable, alsoReads = [], connect }: Vendor,
  settings: Environment,
): Promise<readonly Provider[]> {
  try {
    return [await connect(settings[variable] ?? '', settings)].flat()
  } catch (cause) {
    const names = [variable, ...alsoReads.filter((name) => settings[name] !== undefined)].join(' or ')
    throw new Error(`${names} can't be used: ${(cause as Error).message}`, { cause })
  }
}

/**
 * Gives every model named routes, even a model that only one vendor has. A job that is running when the server stops is
 * found again by its route, even if other keys are set at the next start. A provider that follows its vendor's list of models
 * offers those itself that no other vendor has, because a route keeps the limits and prices of its start.
 */
function offered(providers: readonly Provider[]): readonly (Provider | RoutedModel)[] {
  const following = providers.filter(({ followModels }) => followModels)
  const ids = new Set(providers.filter((provider) => !following.includes(provider)).flatMap(idsOf))
  const routed = Array.from(ids, (id) =>
    routeModel({
      id,
      routes: providers
        .filter((provider) => idsOf(provider).includes(id))
        .map((provider) => ({ provider, model: id })),
    }),
  )
  return [...routed, ...following]
}

function idsOf({ models }: Provider): string[] {
  return models.map(({ id }) => id)
}
