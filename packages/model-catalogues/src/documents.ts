import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads a document that a vendor has published. @returns `undefined` when there is none */
export type ReadDocument = (
  url: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<string | undefined>

/** Asks the vendors. @throws Error that names the address, after any answer but a document or 404 */
export const liveDocument: ReadDocument = async (url, headers = {}) => {
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
  if (answer.status === 404 || answer.status === 410) return undefined
  if (!answer.ok) throw new Error(`${url} answers with status ${answer.status}.`)
  return answer.text()
}

/** Reads copies of the documents in a folder, by names that come from their addresses. The folder need not have all of them. */
export function storedDocuments(folder: string): ReadDocument {
  return async (url) => {
    const file = join(folder, copyName(url))
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
}

/** @example copyName('https://fal.ai/models/acme/film/llms.txt') // 'fal.ai_models_acme_film_llms.txt' */
export function copyName(url: string): string {
  return url.replace(/^https:\/\//, '').replaceAll(/[^\w.-]+/g, '_')
}
