import { liveOffer, numberIn, recordOf, type VendorClient } from '@genmount/provider-kit'
import { type PublishedModel, publishedModel } from './published-model.ts'
import { type ChosenModels, chosenModels, type ComfyRouterModel, routerOffer } from './router-options.ts'
import { schemaFields } from './schema-fields.ts'

/** A schema that was read, and how to ask whether it has changed. */
interface KeptSchema extends PublishedModel {
  readonly etag: string | undefined
}

type NamedModel = ComfyRouterModel & { readonly id: string; readonly model: string }

/** In bytes: the longest schema had 60 kB in November 2026. */
const maxBytes = 4 * 1024 * 1024
/** For all models of the Router, one after the other: it counts these reads as requests. */
const timeoutMs = 300_000

/**
 * Offers the app's models with what the Router publishes of them, or all models of the Router that make images or films.
 * @param chosen the app's models, or `'all'`
 */
export function liveSchemas(chosen: ChosenModels | 'all', ask: VendorClient['ask']) {
  const schemas = new Map<string, KeptSchema>()
  const own = chosen === 'all' ? [] : chosenModels(chosen)

  /** @returns whether there is a schema that was not there before */
  async function readSchema(model: string, signal: AbortSignal): Promise<boolean> {
    const { etag } = schemas.get(model) ?? {}
    const answer = await ask({
      method: 'GET',
      path: `/v2/models/${model}/openapi.json`,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
      maxBytes,
      signal,
    })
    // The Router has the model no more, or never had it. Jobs for it are refused there.
    if (answer.status === 304 || answer.status === 404) return false
    const published = answer.ok ? publishedModel(answer.json) : undefined
    if (!published) throw unreadable(`the schema of ${model}`, answer.status)
    schemas.set(model, { ...published, etag: answer.headers.get('etag') ?? undefined })
    return true
  }

  /** The ids of all models of the Router. */
  async function listedIds(signal: AbortSignal): Promise<readonly string[]> {
    const ids: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query: string = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) }).toString()
      const answer = await ask({ method: 'GET', path: `/v2/models?${query}`, maxBytes, signal })
      const page = recordOf(answer.ok ? answer.json : undefined)
      if (!Array.isArray(page['data'])) throw unreadable('the list of models', answer.status)
      ids.push(...page['data'].map((entry) => recordOf(entry)['id']).filter(isModelId))
      const { has_more: hasMore, next_cursor: next } = page
      cursor = hasMore === true && typeof next === 'string' && next !== cursor ? next : undefined
    }
    return ids
  }

  function offerOf(models: readonly NamedModel[]) {
    const published = new Map([...schemas].map(([model, { input }]) => [model, input]))
    const ready = models.filter(({ model, fields, schema }) => fields ?? schema ?? schemas.has(model))
    return ready.length === 0 ? undefined : routerOffer(ready, published)
  }

  /** The models of the Router whose schemas say how to ask for an image or a film. */
  function allModels(ids: readonly string[]): readonly NamedModel[] {
    return ids.flatMap((model) => {
      const { input, outputKind } = schemas.get(model) ?? {}
      if (!input || !outputKind) return []
      const { fields, lacking } = schemaFields(model, input)
      return fields.prompt && lacking.length === 0 ? [{ id: model, model, outputKind }] : []
    })
  }

  let last: readonly string[] = []
  return liveOffer({
    first: offerOf(own),
    timeoutMs,
    async read(signal) {
      const ids = chosen === 'all' ? await listedIds(signal) : [...new Set(own.map(({ model }) => model))]
      let isNew = ids.join() !== last.join()
      let fault: unknown
      for (const id of ids)
        try {
          if (await readSchema(id, signal)) isNew = true
        } catch (error) {
          signal.throwIfAborted()
          fault ??= error
          // The Router refuses the others as well for a while.
          if (numberIn(recordOf(error)['status']) === 429) break
        }
      if (fault !== undefined && schemas.size === 0) throw fault
      last = ids
      return isNew ? offerOf(chosen === 'all' ? allModels(ids) : own) : undefined
    },
  })
}

function isModelId(id: unknown): id is string {
  return typeof id === 'string' && /^[a-z\d]+(?:[._-][a-z\d]+)*\/[a-z\d]+(?:[._-][a-z\d]+)*$/.test(id)
}

function unreadable(what: string, status: number): Error {
  return Object.assign(new Error(`At the Comfy Router, ${what} can't be read: status ${status}.`), { status })
}
