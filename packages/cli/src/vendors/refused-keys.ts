import type { Environment } from './environment.ts'

/** A free request, which the vendor refuses if it does not accept the key. */
interface Probe {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /**
   * Whether this answer says that the vendor does not accept the key.
   * @param body its text, at most 100,000 characters
   * @default 401
   */
  readonly refuses?: (status: number, body: string) => boolean
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** The address of a vendor, or that of a gateway in its place, without a slash at the end. */
const origin = (own: string | undefined, usual: string) => (own?.trim() || usual).replace(/\/$/, '')

const klingTasks = ({ KLING_BASE_URL: baseUrl }: Environment) =>
  `${origin(baseUrl, 'https://api-singapore.klingai.com')}/v1/images/generations?pageNum=1&pageSize=1`

/** The requests of the vendors, as documented on 2026-11-27. A ComfyUI has no keys. */
const probes: Readonly<Record<string, (key: string, settings: Environment) => Probe | Promise<Probe>>> = {
  // https://docs.fal.ai/platform-apis/v1/models/pricing
  FAL_KEY: (key) => ({
    url: 'https://api.fal.ai/v1/models/pricing?endpoint_id=fal-ai/flux/schnell',
    headers: { authorization: `Key ${key}` },
  }),
  // https://replicate.com/docs/reference/http#account.get
  REPLICATE_API_TOKEN: (key) => ({ url: 'https://api.replicate.com/v1/account', headers: bearer(key) }),
  // https://platform.openai.com/docs/api-reference/models/list
  OPENAI_API_KEY: (key, { OPENAI_BASE_URL: baseUrl }) => ({
    url: `${origin(baseUrl, 'https://api.openai.com/v1')}/models`,
    headers: bearer(key),
  }),
  // https://ai.google.dev/api/models#method:-models.list
  GEMINI_API_KEY: (key, { GOOGLE_GEMINI_BASE_URL: own }) => ({
    url: `${origin(own, 'https://generativelanguage.googleapis.com')}/v1beta/models?pageSize=1`,
    headers: { 'x-goog-api-key': key },
    refuses: (status, body) => status === 401 || (status === 400 && body.includes('API_KEY_INVALID')),
  }),
  // https://docs.bfl.ai/api-reference/get-the-users-credits
  BFL_API_KEY: (key) => ({
    url: 'https://api.bfl.ai/v1/credits',
    headers: { 'x-key': key },
    refuses: (status) => status === 401 || status === 403,
  }),
  // https://docs.dev.runwayml.com/api/#tag/Organization
  RUNWAYML_API_SECRET: (key) => ({
    url: 'https://api.dev.runwayml.com/v1/organization',
    headers: { ...bearer(key), 'x-runway-version': '2024-11-06' },
  }),
  // https://docs.byteplus.com/en/docs/ModelArk/1521675
  ARK_API_KEY: (key, { ARK_BASE_URL: baseUrl }) => ({
    url: `${origin(baseUrl, 'https://ark.ap-southeast.bytepluses.com/api/v3')}/contents/generations/tasks?page_num=1&page_size=1`,
    headers: bearer(key),
  }),
  // https://kling.ai/document-api/api/image/3-0-omni/image-generation (the list of tasks)
  KLING_API_KEY: (key, settings) => ({ url: klingTasks(settings), headers: bearer(key) }),
  async KLING_ACCESS_KEY(accessKey, settings) {
    const { klingAccessToken } = await import('@genmount/provider-kling')
    const secretKey = settings['KLING_SECRET_KEY']?.trim() ?? ''
    const token = await klingAccessToken({ accessKey, secretKey }, Date.now())
    return { url: klingTasks(settings), headers: bearer(token) }
  },
  // https://openrouter.ai/docs/api-reference/limits
  OPENROUTER_API_KEY: (key) => ({ url: 'https://openrouter.ai/api/v1/key', headers: bearer(key) }),
  // https://docs.runpod.io/serverless/endpoints/operation-reference#health
  RUNPOD_API_KEY: (key, { RUNPOD_ENDPOINT_ID: endpoint }) => ({
    url: `https://api.runpod.ai/v2/${encodeURIComponent(endpoint?.trim() || 'z-image-turbo')}/health`,
    headers: bearer(key),
  }),
  // https://docs.comfy.org/development/comfy-router/discover-models
  COMFY_API_KEY: (key) => ({
    url: 'https://api.comfy.org/v2/models?limit=1',
    headers: { 'x-api-key': key },
  }),
  // https://docs.x.ai/docs/api-reference#get-api-key-information
  XAI_API_KEY: (key) => ({
    url: 'https://api.x.ai/v1/api-key',
    headers: bearer(key),
    refuses: (status, body) => status === 401 || (status === 400 && /api key/i.test(body)),
  }),
}

const timeoutMs = 10_000

/**
 * Asks the vendors whether they accept the keys, which costs nothing. A key counts as refused only if the vendor says
 * that it does not know the key. Any other answer, or no answer, counts as accepted, because a key may be limited to
 * what jobs need.
 * @param variables the environment variables whose keys are in use
 * @returns a line for each key that is refused, without the key
 */
export async function refusedKeys(
  environment: Environment,
  variables: readonly string[],
): Promise<readonly string[]> {
  const answers = variables.map(async (variable) => {
    const probe = await probes[variable]?.(environment[variable]?.trim() ?? '', environment)
    if (!probe || !(await isRefused(probe).catch(() => false))) return []
    return [`${variable} is refused by ${new URL(probe.url).host}: jobs of its models will fail.`]
  })
  return (await Promise.all(answers)).flat()
}

async function isRefused({ url, headers, refuses = (status) => status === 401 }: Probe): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs)
  // A redirect would send the key to another server.
  const answer = await fetch(url, { headers, redirect: 'manual', signal })
  return refuses(answer.status, (await answer.text()).slice(0, 100_000))
}
