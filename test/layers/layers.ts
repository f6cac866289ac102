/**
 * Who imports whom. A file may import its own room or package, and what stands here: nothing else of ours. Core's tests and
 * core's `index.ts` may import every room of core.
 */

/** The rooms of core, from the lowest floor to the highest. A room imports rooms of lower floors, none of its own floor. */
export const floorsOfCore = [
  ['errors'],
  ['contracts'],
  ['text', 'bytes', 'lists', 'addresses', 'pricing'],
  ['pacing', 'sharing', 'object-storage'],
  ['job'],
  ['ledger'],
  ['clock'],
  ['claims'],
  ['retention'],
  ['input', 'outputs'],
  ['routing'],
  ['plugins', 'turns'],
  ['steps'],
  ['defaults'],
  ['job-store'],
  ['requests'],
  ['service'],
]

/**
 * The rooms of core that are plugins. Each imports the rooms up to the floor of `input`, and no room imports it: the service
 * knows a plugin by its contract alone.
 */
export const pluginsOfCore = [
  'advance',
  'callbacks',
  'limits',
  'moderation',
  'uploads',
  'usage',
  'deliveries',
]

const forProviders = ['core', 'guarded-fetch', 'provider-kit']

/** What each package imports of our packages. */
export const importsOfPackage: Readonly<Record<string, readonly string[]>> = {
  core: [],
  // Of core: which addresses are public.
  'guarded-fetch': ['core'],
  'v1-interface': ['core'],
  // Of the client: how the fields of a model are read from its JSON Schema.
  'openai-interface': ['client', 'core', 'v1-interface'],
  'node-http': ['core', 'v1-interface'],
  'fetch-handler': ['core', 'v1-interface'],
  'express-middleware': ['core', 'node-http'],
  // Of the client: how an answer asks to wait.
  'provider-kit': ['client', 'core', 'guarded-fetch'],
  webhooks: ['client', 'core', 'guarded-fetch', 'v1-interface'],
  testing: ['core'],
  client: [],
  'ai-sdk': ['client'],
  // The page is bundled with the client, and with the rule of core by which a job is priced; the handlers that serve it import
  // only what the build puts into them.
  playground: ['client', 'core', 'page-kit'],
  // Its endpoint runs beside the /v1 of a service, whose limits and hosts it shares. Its tools know only the client.
  mcp: ['client', 'core', 'fetch-handler', 'node-http', 'v1-interface'],
  cli: [
    'client',
    'mcp',
    'fetch-handler',
    'core',
    'node-http',
    // The OpenAPI document.
    'v1-interface',
    'openai-interface',
    'operator',
    'playground',
    'output-facts',
    'provenance',
    'variants',
    'webhooks',
    'opentelemetry',
    'guarded-fetch',
    'backend-postgres',
    'backend-sqlite',
    'files-disk',
    'files-s3',
    'scheduler-bullmq',
    'provider-ark',
    'provider-bfl',
    'provider-comfyui',
    'provider-esrgan',
    'provider-fal',
    'provider-google',
    'provider-kling',
    'provider-openai',
    'provider-procedural',
    'provider-replicate',
    'provider-runpod',
    'provider-runway',
    'provider-xai',
    // It looks at the pictures of a strange server before it shows them.
    'provider-kit',
  ],
  // Of backend-sqlite: the schema and the statements, which import no module of Node.
  'backend-cloudflare': ['backend-sqlite', 'core'],
  'backend-libsql': ['backend-sqlite', 'core'],
  'backend-*': ['core'],
  'scheduler-*': ['core'],
  opentelemetry: ['core'],
  operator: ['core', 'page-kit'],
  provenance: ['core'],
  // Of provenance: how the mark of a file is read.
  'output-facts': ['core', 'provenance'],
  // Of provider-kit: worker threads, and the checks of strange pictures.
  variants: ['core', 'provider-kit'],
  // Of provider-comfyui: how an input is written into a workflow.
  'provider-runpod': [...forProviders, 'provider-comfyui'],
  'files-*': forProviders,
  'provider-*': forProviders,
}

/** These run where there are no modules of Node. */
export const withoutNode: readonly string[] = [
  'core',
  'v1-interface',
  'openai-interface',
  'fetch-handler',
  'backend-cloudflare',
  'backend-libsql',
  'files-s3',
  'opentelemetry',
  'provenance',
  'output-facts',
  'client',
  'ai-sdk',
]
