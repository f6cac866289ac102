import type { Environment } from './environment.ts'

/** A free request. The vendor answers 401 if it does not accept the key. */
interface Probe {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** fal documents no such request, and ComfyUI has no keys. */
const probes: Readonly<Record<string, (key: string, settings: Environment) => Probe>> = {
  // https://replicate.com/docs/reference/http#account.get
  REPLICATE_API_TOKEN: (key) => ({ url: 'https://api.replicate.com/v1/account', headers: bearer(key) }),
  // https://platform.openai.com/docs/api-reference/models/list
  OPENAI_API_KEY: (key, { OPENAI_BASE_URL: baseUrl }) => ({
    url: `${(baseUrl?.trim() || 'https://api.openai.com/v1').replace(/\/$/, '')}/models`,
    headers: bearer(key),
  }),
  // https://ai.google.dev/api/models#method:-models.list
  GEMINI_API_KEY: (key, { GOOGLE_GEMINI_BASE_URL: origin }) => ({
    url: `${(origin?.trim() || 'https://generativelanguage.googleapis.com').replace(/\/$/, '')}/v1beta/models?pageSize=1`,
    headers: { 'x-goog-api-key': key },
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
    const probe = probes[variable]?.(environment[variable]?.trim() ?? '', environment)
    if (!probe || !(await isRefused(probe).catch(() => false))) return []
    return [`${variable} is refused by ${new URL(probe.url).host}: jobs of its models will fail.`]
  })
  return (await Promise.all(answers)).flat()
}

async function isRefused({ url, headers }: Probe): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs)
  // A redirect would send the key to another server.
  const answer = await fetch(url, { headers, redirect: 'manual', signal })
  // Google answers 400 to a key that it does not know.
  if (answer.status === 400) return (await answer.text()).includes('API_KEY_INVALID')
  await answer.body?.cancel()
  return answer.status === 401
}
