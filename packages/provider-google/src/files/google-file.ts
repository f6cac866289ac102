import { recordOf } from '@genmount/provider-kit'
import type { GoogleClient } from '../client/google-client.ts'

/** A file that an answer names. */
export interface GoogleFile {
  /** The URL of the file's bytes. */
  readonly content: string
  /**
   * Requests the state, such as `PROCESSING`, `ACTIVE` or `FAILED`; `undefined` when Google does not report it, when a gateway
   * redirects the request, and for files at other origins.
   */
  state(signal: AbortSignal): Promise<string | undefined>
}

/**
 * The file that a link in an answer names. Links to Google's Files API have the form `…/files/{id}`, which answers with
 * metadata of the file, or `…/files/{id}:download`, which answers with the file's bytes only with the parameter
 * `alt=media`.
 *
 * Gateways repeat Google's own addresses in their answers, although Google does not accept the key of the gateway. The
 * gateway serves such a file under the same path.
 */
export function googleFile(uri: string, { ask, baseUrl, origin }: GoogleClient): GoogleFile {
  const base = `${baseUrl.replace(/\/$/, '')}/`
  const path = /^https:\/\/generativelanguage\.googleapis\.com\/v1\w*\/(.+)$/.exec(uri)?.[1]
  const address = path === undefined ? (URL.parse(uri, base)?.href ?? uri) : `${base}${path}`
  const url = URL.parse(address)
  const [, file] = /^(.*\/files\/[\w-]+)(?::download)?$/.exec(url?.pathname ?? '') ?? []
  if (url?.origin !== origin || file === undefined) return { content: address, state: async () => undefined }
  return {
    content: `${origin}${file}:download?alt=media`,
    async state(signal) {
      const answer = ask({ method: 'GET', path: `${origin}${file}`, signal })
      const { ok, json } = await answer.catch((fault: unknown) => {
        // The film is paid for, and the download follows redirects, without the key.
        if ((fault as Error).name === 'RedirectError') return { ok: false, json: undefined }
        throw fault
      })
      const { state } = recordOf(json)
      return ok && typeof state === 'string' ? state : undefined
    },
  }
}
