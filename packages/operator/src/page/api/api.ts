import { ApiError } from './api-error.ts'
import { serviceReach } from '../live/service-reach.ts'

/** The parameters of a query. One that is `undefined` is not sent. */
export type Query = Readonly<Record<string, string | undefined>>

/** The routes of the service for operators, with the key of one of them. */
export interface Api {
  /** @param path what follows `/v1/operator`. @throws ApiError */
  get<Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer>
  /** @param path what follows `/v1/operator`. @throws ApiError */
  post<Answer>(path: string, body: object): Promise<Answer>
}

/** The statuses with which a proxy says that the server behind it does not answer. */
const awayStatuses: readonly number[] = [502, 504]

/** @param baseUrl the address of the service in front of `/v1` */
export function createApi(baseUrl: string, key: string): Api {
  async function send<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const headers = headersWith(key)
    const response = await reached(`${baseUrl}/v1/operator${path}`, {
      ...init,
      headers,
      cache: 'no-store',
      credentials: 'omit',
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw errorOf(response.status, answer)
    if (typeof answer !== 'object' || answer === null)
      throw new ApiError(response.status, 'unexpected_answer', 'The answer does not come from the service.')
    return answer as Answer
  }
  return {
    get(path, query = {}, signal) {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value)
      const text = search.size > 0 ? `?${search}` : ''
      const signals = [AbortSignal.timeout(30_000), ...(signal ? [signal] : [])]
      return send(path + text, { signal: AbortSignal.any(signals) })
    },
    post: (path, body) => send(path, { method: 'POST', body: JSON.stringify(body) }),
  }
}

/** @throws ApiError when no header can have this key, so that it is none that the service knows */
function headersWith(key: string): Headers {
  try {
    return new Headers({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  } catch {
    throw new ApiError(401, 'invalid_api_key', 'No header can have this key.')
  }
}

/** `fetch`, which notes whether the service answers. */
async function reached(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init)
    if (!awayStatuses.includes(response.status)) {
      serviceReach.answer()
      return response
    }
  } catch (error) {
    if (init.signal?.aborted && (init.signal.reason as Error)?.name !== 'TimeoutError') throw error
  }
  serviceReach.lose()
  throw new ApiError(0, 'network_error', 'The server does not answer.')
}

function errorOf(status: number, answer: unknown): ApiError {
  const { error } = (answer ?? {}) as {
    readonly error?: { readonly code?: unknown; readonly message?: unknown }
  }
  const code = typeof error?.code === 'string' ? error.code : `status_${status}`
  return new ApiError(
    status,
    code,
    typeof error?.message === 'string' ? error.message : `The server answered ${status}.`,
  )
}
