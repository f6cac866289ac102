import type { JsonObject, ListedTask } from '@genmount/core'
import { recordOf, type VendorAnswer } from '@genmount/provider-kit'
import { predictionIn, reportOf } from './prediction.ts'
import { pageIn } from './prediction-finder.ts'
import type { checkReplicateOptions, OfferedModel } from './replicate-options.ts'

/**
 * Lists the account's predictions since an instant, the newest first, without those that were made on Replicate's web
 * page.
 * @param get requests a path
 * @param offer the models whose prices tell the costs
 * @throws Error when an answer is not a page of predictions
 */
export async function* listedPredictions(
  get: (path: string) => Promise<VendorAnswer>,
  offer: ReturnType<typeof checkReplicateOptions>['models'],
  since: number,
): AsyncGenerator<ListedTask> {
  const models = offer.models.map(({ id }) => offer.of({ model: id }))
  let path: string | undefined =
    `/predictions?${new URLSearchParams({ created_after: new Date(since).toISOString() })}`
  while (path !== undefined) {
    const answer: VendorAnswer = await get(path)
    if (!answer.ok) throw new Error(`Replicate answered a list of predictions with status ${answer.status}.`)
    const { items, next } = pageIn(answer.json)
    for (const { id, fields, webhook, createdAt } of items)
      if (!(createdAt < since) && fields['source'] !== 'web')
        yield {
          handle: id,
          ...endIn(fields, models),
          createdAt: Number.isNaN(createdAt) ? undefined : createdAt,
          model: typeof fields['model'] === 'string' ? fields['model'] : undefined,
          callbackUrl: typeof webhook === 'string' ? webhook : undefined,
        }
    // As in a search: an older item ends the list, even if a proxy drops the limit from the query.
    path = items.some(({ createdAt }) => createdAt < since) ? undefined : next
  }
}

function endIn(
  fields: Readonly<Record<string, unknown>>,
  models: readonly OfferedModel[],
): Pick<ListedTask, 'state' | 'costUsd'> {
  const { model: name, version, data_removed: isRemoved } = fields
  const model = models.find(({ slug }) => [name, version, `${name}:${version}`].includes(slug))
  const report = reportOf(predictionIn(fields), model ?? {}, model ? inputOf(model, fields['input']) : {})
  if (report.state !== 'succeeded' && report.state !== 'failed') return { state: 'running' }
  // An hour after the end, Replicate deletes input and output, and only the time is left.
  const isPriced = isRemoved !== true || (model?.priceUnit === 'second' && typeof model.price === 'number')
  const state = fields['status'] === 'succeeded' ? 'succeeded' : 'failed'
  return { state, costUsd: isPriced ? report.costUsd : undefined }
}

/** The input with our names of the fields, by which prices go. */
function inputOf({ fields }: OfferedModel, input: unknown): JsonObject {
  const inputOfPrediction = recordOf(input)
  const renamed = Object.entries(fields).flatMap(([ours, theirs]) =>
    typeof theirs === 'string' && theirs in inputOfPrediction ? [[ours, inputOfPrediction[theirs]]] : [],
  )
  return { ...inputOfPrediction, ...Object.fromEntries(renamed) } as JsonObject
}
