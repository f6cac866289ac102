import { GenerationError, type Job, type Model, toBase64 } from '@genmount/core'
import type { Answer, FurtherRoute, InterfaceHost, OwnedExchange } from '@genmount/v1-interface'
import { callHeaders } from '../calls/call-headers.ts'
import type { CreateCall, Order } from '../calls/create-call.ts'
import type { InputContext } from '../input/model-input.ts'
import { mediaField, type RequestFields, requestFields } from '../input/request-fields.ts'
import { changedVideoOrder, filmField, videoOrder } from '../input/video-inputs.ts'
import { jsonReply } from '../wire/json-reply.ts'
import { sourceKey, videoObject } from '../wire/video-object.ts'
import { listVideos } from './list-videos.ts'
import { videoReader } from './read-video.ts'

/** A larger film goes to the vendor as a link. In bytes. */
const maxInlineBytes = 20 * 1024 * 1024

/** The routes for films. */
export function videoRoutes(
  host: InterfaceHost,
  createCall: CreateCall,
  inputs: InputContext,
): readonly FurtherRoute[] {
  const { service } = host
  const read = videoReader(service)
  const idOf = ({ params }: OwnedExchange) => params['id'] ?? ''

  /** Creates a job from the fields of the body. */
  const create =
    (
      orderOf: (fields: RequestFields, exchange: OwnedExchange) => Order | Promise<Order>,
    ): Answer<OwnedExchange> =>
    async (exchange) => {
      const call = await host.withBody(exchange, async (body) =>
        createCall(exchange, await orderOf(await requestFields(body), exchange)),
      )
      return jsonReply(videoObject(call.jobs[0]!), callHeaders(exchange, call))
    }

  /** Changes a film: one that this service has made, by its id, or one that the client sends. */
  const change = (sourceIdOf: (fields: RequestFields, exchange: OwnedExchange) => string | undefined) =>
    create(async (fields, exchange) => {
      const id = sourceIdOf(fields, exchange)
      if (id === undefined) {
        const [film] = mediaField(fields, 'video')
        if (film === undefined)
          throw new GenerationError('missing_field', 'video is missing.', { param: 'video' })
        return changedVideoOrder(fields, inputs.modelOf(fields, 'video'), film, inputs)
      }
      const { job } = await read(id, exchange.owner)
      const model = modelOfChange(fields, job)
      filmField(model)
      const order = changedVideoOrder(fields, model, await filmOf(job, exchange), inputs)
      return { ...order, metadata: { [sourceKey]: id } }
    })

  function modelOfChange(fields: RequestFields, { model }: Job): Model {
    return inputs.modelOf(fields.has('model') ? fields : new Map([['model', model]]), 'video')
  }

  /** The film of a job, for the input of another: its bytes, or a link if it is large. */
  async function filmOf(job: Job, exchange: OwnedExchange): Promise<string> {
    if (job.phase !== 'completed')
      throw new GenerationError('invalid_request', 'The video is not completed, so it can not be changed.', {
        param: 'video',
      })
    const { fileKey } = job.outputs[0]!
    const file = fileKey === undefined ? undefined : await service.files.open?.(fileKey)
    if (!file || file.size > maxInlineBytes) return host.outputLink(job, 0, exchange)
    const bytes = new Uint8Array(await new Response(file.read()).arrayBuffer())
    return `data:${file.contentType};base64,${toBase64(bytes)}`
  }

  const content: Answer<OwnedExchange> = async (exchange) => {
    const { request, owner } = exchange
    const { job } = await read(idOf(exchange), owner)
    const variant = new URL(`http://host${request.path}`).searchParams.get('variant') ?? 'video'
    if (variant !== 'video')
      throw new GenerationError('file_not_found', `There is no ${variant} of a video here, only the video.`, {
        param: 'variant',
      })
    return host.outputReply(job, 0, exchange)
  }

  const cancel: Answer<OwnedExchange> = async (exchange) => {
    const { job } = await read(idOf(exchange), exchange.owner)
    return jsonReply(videoObject(await service.cancel(job.id, exchange.owner)))
  }

  const byId: FurtherRoute['answers'] = {
    async GET(exchange) {
      const { job, progress } = await read(idOf(exchange), exchange.owner)
      return jsonReply(videoObject(job, progress))
    },
    async DELETE(exchange) {
      const { job } = await read(idOf(exchange), exchange.owner)
      await service.delete(job.id, exchange.owner)
      return jsonReply({ id: job.id, object: 'video.deleted', deleted: true })
    },
  }
  const changeOfBody = { POST: change((fields) => idIn(fields.get('video'))) }

  return [
    {
      path: '/videos',
      answers: { GET: listVideos(service), POST: create((fields) => videoOrder(fields, inputs)) },
    },
    { path: '/videos/edits', answers: changeOfBody },
    { path: '/videos/extensions', answers: changeOfBody },
    { path: '/videos/:id', answers: byId },
    { path: '/videos/:id/cancel', answers: { POST: cancel } },
    { path: '/videos/:id/content', answers: { GET: content } },
    { path: '/videos/:id/remix', answers: { POST: change((_, exchange) => idOf(exchange)) } },
  ]
}

/** The id in a reference `{ "id": … }` to a film of this service. */
function idIn(video: unknown): string | undefined {
  if (typeof video !== 'object' || video === null) return undefined
  const { id } = video as { readonly id?: unknown }
  return typeof id === 'string' ? id : undefined
}
