import { recordOf } from '@genmount/vendor-http'
import type { GoogleApi } from './google-api.ts'

/** A file of Google's Files API. */
export interface GoogleFile {
  /** The URL of the file's bytes. */
  readonly content: string
  /** Asks for the state, such as `PROCESSING`, `ACTIVE` or `FAILED`; `undefined` when Google does not tell it. */
  state(api: Pick<GoogleApi, 'ask'>, signal: AbortSignal): Promise<string | undefined>
}

/**
 * The file that a link to Google's Files API names. Such links come as `…/files/{id}`, which answers with facts about
 * the file, and as `…/files/{id}:download`, which answers with the file's bytes only if `alt=media` is asked for.
 * @param origin the only one that the key is sent to
 * @returns `undefined` when the link leads elsewhere
 */
export function fileAt(uri: string, origin: string): GoogleFile | undefined {
  const url = URL.parse(uri)
  const [, file] = /^(.*\/files\/[\w-]+)(?::download)?$/.exec(url?.pathname ?? '') ?? []
  if (!url || url.origin !== origin || file === undefined) return undefined
  const path = `${origin}${file}`
  return {
    content: `${path}:download?alt=media`,
    async state({ ask }, signal) {
      const { ok, json } = await ask({ method: 'GET', path, signal })
      const { state } = recordOf(json)
      return ok && typeof state === 'string' ? state : undefined
    },
  }
}
