import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { faultIn, fields, filled } from '../body-schemas.ts'
import { type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * Runway's API as far as tasks go. Sources: @runwayml/sdk 4.20.1 src/resources/tasks.ts (states, costs, what DELETE does),
 * image-to-video.ts and its neighbours (the answer to a submit), src/client.ts (headers);
 * https://docs.dev.runwayml.com/errors/task-failures/ and /api-details/errors, read in November 2026.
 */

export const runwayKey = `key_${'0f3a9c7e51d2b846'.repeat(8)}`

/** A signed link, as long-lived as Runway's: 24 to 48 hours. */
export const film = 'https://dnznrvs05pmza.cloudfront.net/5e1c/film.mp4?_jwt=eyJhbGciOi'

/** A task that Runway has taken on, which costs. */
export interface RunwayTask {
  readonly id: string
  /** The endpoint, such as `text_to_video`. */
  readonly endpoint: string
  readonly body: Readonly<Record<string, unknown>>
  /** How many times the task has been polled. */
  polls: number
  isCancelled: boolean
}

const shared = 'seed contentModeration ratio duration audio resolution outputFormat proresProfile'
const references = 'references referenceAudio referenceVideos'
/**
 * The parameters of each endpoint, of all its models together, by the types of the SDK. known-models.test.ts checks the requests
 * for each model by these types.
 */
const bodies: Readonly<Record<string, v.GenericSchema>> = {
  text_to_image: body(
    'promptText ratio',
    `${shared} referenceImages outputCount quality background grounding edit`,
  ),
  image_to_video: body(
    'promptImage',
    `${shared} ${references} promptText negativePrompt promptExpansionMode`,
  ),
  text_to_video: body('', `${shared} ${references} promptText negativePrompt promptExpansionMode`),
  video_to_video: body(
    '',
    `${shared} ${references} promptText videoUri promptVideo keyframes mode targetAspectRatio`,
  ),
}

function body(required: string, optional: string) {
  const names = required.split(' ').filter(Boolean)
  return v.strictObject({ model: filled, ...fields(optional), ...v.entriesFromList(names, v.unknown()) })
}

const endpoints = /^\/v1\/((?:text|image|video)_to_(?:video|image)|(?:image|video)_upscale)$/

/** Runway on loopback. Cancelled tasks can still be fetched; `forget` is what the SDK also says: that they can't. */
export async function startRunway() {
  const tasks = new Map<string, RunwayTask>()
  const ledger: RunwayTask[] = []
  const deleted: string[] = []
  const fake = { pendingPolls: 1, ending: undefined as object | undefined }

  const server = await vendorServer(({ method, url, headers, json }) => {
    if (headers['authorization'] !== `Bearer ${runwayKey}`) return refusal(401, 'The API key is not valid.')
    if (headers['x-runway-version'] !== '2024-11-06') return refusal(400, 'The version header is not valid.')
    const [, endpoint] = endpoints.exec(url.pathname) ?? []
    if (method === 'POST' && endpoint !== undefined) return submit(endpoint, json())
    const task = tasks.get(/^\/v1\/tasks\/([^/]+)$/.exec(url.pathname)?.[1] ?? '')
    if (!task) return refusal(404, 'Not found.')
    if (method === 'DELETE') return remove(task)
    return { json: stateOf(task) }
  })

  function submit(endpoint: string, body: RunwayTask['body']): VendorReply {
    const schema = bodies[endpoint]
    const fault = schema && faultIn(schema, body)
    // https://docs.dev.runwayml.com/api-details/errors
    if (fault !== undefined) return refusal(400, `Validation of body failed: ${fault}`)
    const task = { id: randomUUID(), endpoint, body, polls: 0, isCancelled: false }
    tasks.set(task.id, task)
    ledger.push(task)
    return { json: { id: task.id, estimatedCost: { credits: 60 } } }
  }

  function stateOf(task: RunwayTask): object {
    const { id } = task
    const createdAt = '2026-11-22T18:00:00.000Z'
    if (task.isCancelled) return { id, createdAt, status: 'CANCELLED', cost: { credits: 0 } }
    const isOver = task.polls++ >= fake.pendingPolls
    if (isOver)
      return { id, createdAt, status: 'SUCCEEDED', output: [film], cost: { credits: 60 }, ...fake.ending }
    return { id, createdAt, status: 'RUNNING', progress: 0.4, estimatedCost: { credits: 60 } }
  }

  /** A task that has ended is deleted with what it has made. */
  function remove(task: RunwayTask): VendorReply {
    deleted.push(task.id)
    if (task.polls > fake.pendingPolls) tasks.delete(task.id)
    else task.isCancelled = true
    return { status: 204, body: '' }
  }

  return {
    ...server,
    baseUrl: `${server.origin}/v1`,
    ledger,
    deleted,
    fake,
    forget: () => tasks.clear(),
  }
}

function refusal(status: number, error: string): VendorReply {
  return { status, json: { error, docUrl: 'https://docs.dev.runwayml.com/api' } }
}
