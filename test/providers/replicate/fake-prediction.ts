import { randomBytes } from 'node:crypto'

/** A prediction on the wire. replicate-javascript, index.d.ts (1.4.0), and its index.test.ts for the nulls. */
export type WirePrediction = Readonly<ReturnType<typeof startedPrediction>>

const predictSeconds = 4.484541

/** The body of a create. replicate-javascript, lib/predictions.js. */
export interface CreateBody {
  readonly version?: string
  readonly input: Readonly<Record<string, unknown>>
  readonly webhook?: string
  readonly webhook_events_filter?: readonly string[]
}

export function startedPrediction(baseUrl: string, model: string, body: CreateBody, createdAt: number) {
  // The name of the model, so that a test can trouble the predictions of one model, and digits.
  const id = `${model.replace(/^.*\/|\W/g, '')}${randomBytes(13).toString('hex')}`
  const { webhook, webhook_events_filter } = body
  return {
    id,
    model,
    /** `hidden` for official models. */
    version: body.version ?? 'hidden',
    input: body.input,
    output: null as unknown,
    error: null as unknown,
    logs: '',
    source: 'api',
    /** Documented are starting, processing, succeeded, failed, canceled, aborted. https://replicate.com/docs/topics/predictions/lifecycle */
    status: 'starting',
    data_removed: false,
    metrics: {} as { readonly predict_time?: number; readonly total_time?: number },
    ...(webhook !== undefined && { webhook }),
    ...(webhook_events_filter && { webhook_events_filter }),
    created_at: new Date(createdAt).toISOString(),
    started_at: null as string | null,
    completed_at: null as string | null,
    urls: {
      get: `${baseUrl}/predictions/${id}`,
      cancel: `${baseUrl}/predictions/${id}/cancel`,
      web: `https://replicate.com/p/${id}`,
    },
  }
}

/** One look further: starting, processing, succeeded. */
export function movedOn(prediction: WirePrediction): WirePrediction {
  const now = new Date().toISOString()
  if (prediction.status === 'starting') return { ...prediction, status: 'processing', started_at: now }
  if (prediction.status !== 'processing') return prediction
  return {
    ...prediction,
    status: 'succeeded',
    output: outputOf(prediction),
    logs: 'Using seed: 36941...',
    metrics: { predict_time: predictSeconds, total_time: predictSeconds + 1.2 },
    completed_at: now,
  }
}

/**
 * Image models return a list of URLs, film models return one URL. Hosts as in vercel/ai
 * packages/replicate/src/*.test.ts.
 */
function outputOf({ id, model, input }: WirePrediction): unknown {
  const file = (name: string) => `https://replicate.delivery/xezq/${id}/${name}`
  if (/film|veo/.test(model)) return file('tmp.mp4')
  return Array.from({ length: Number(input['num_outputs'] ?? 1) }, (_, index) => file(`out-${index}.png`))
}

/** A prediction that has ended does not change. Spelt with one l: replicate-javascript, index.d.ts. */
export function canceled(prediction: WirePrediction): WirePrediction {
  if (prediction.completed_at !== null) return prediction
  return { ...prediction, status: 'canceled', completed_at: new Date().toISOString() }
}
