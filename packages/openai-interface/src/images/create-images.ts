import { isFinished, type Job } from '@genmount/core'
import type { Answer, OwnedExchange, V1Reply } from '@genmount/v1-interface'
import { callHeaders } from '../calls/call-headers.ts'
import { type ImageOrder, imageOrder } from '../input/image-inputs.ts'
import { requestFields } from '../input/request-fields.ts'
import { waitForJobs } from '../waiting/wait-for-jobs.ts'
import { imagesAnswer } from '../wire/images-answer.ts'
import { failureOf, finalReply, stillProcessing } from '../wire/openai-error.ts'
import type { ImageServing } from './image-serving.ts'
import { ImageStream } from './image-stream.ts'

/** `POST images/generations` and `POST images/edits`: creates the jobs, and waits for them as long as the client does. */
export function createImages(serving: ImageServing): Answer<OwnedExchange> {
  const { host, options, createCall, inputs, deliver, kind } = serving
  const { service } = host

  return async (exchange) => {
    // What waits keeps only the order without its inputs, which may have megabytes.
    const { order, call } = await host.withBody(exchange, async (body) => {
      const whole = imageOrder(await requestFields(body), kind === 'image_edit', inputs)
      const created = await createCall(exchange, whole)
      return { order: { ...whole, inputs: [] }, call: created }
    })
    const headers = callHeaders(exchange, call)
    const { onLeave } = exchange.request
    if (order.isStream) return streamed(exchange, order, call.jobs, call.lost, headers)
    const leaving = onLeave && ((leave: () => void) => onLeave(() => (call.lost(), leave())))
    const waiting = { owner: exchange.owner, waitMs: options.waitMs, onLeave: leaving }
    const latest = await waitForJobs(service, call.jobs, waiting).catch((cause: unknown) => {
      // The jobs are stored and may cost money, so the client must learn their ids even when the wait fails.
      service.log.error(`Waiting for job ${call.jobs[0]!.id} failed.`, { job: call.jobs[0]!.id, cause })
      return call.jobs
    })
    return answered(exchange, order, latest, headers)
  }

  async function answered(
    exchange: OwnedExchange,
    { form, echo }: ImageOrder,
    jobs: readonly Job[],
    headers: Record<string, string>,
  ): Promise<V1Reply> {
    const late = jobs.filter((job) => !isFinished(job))
    if (late.length > 0) return finalReply(stillProcessing(late, exchange.baseUrl), headers)
    const completed = jobs.filter(({ phase }) => phase === 'completed')
    if (completed.length === 0) return finalReply(failureOf(jobs[0]!), headers)
    const answer = imagesAnswer(completed, await deliver(exchange, completed, form), echo)
    headers['content-type'] = 'application/json'
    return { status: 200, headers, body: JSON.stringify(answer) }
  }

  function streamed(
    exchange: OwnedExchange,
    order: ImageOrder,
    jobs: readonly Job[],
    lost: () => void,
    headers: Record<string, string>,
  ): V1Reply {
    const stream = new ImageStream(serving, exchange, order, lost)
    exchange.request.onLeave?.(() => stream.cancel())
    void stream.run(jobs)
    headers['content-type'] = 'text/event-stream'
    headers['cache-control'] = 'no-store, no-transform'
    headers['x-accel-buffering'] = 'no'
    return { status: 200, headers, body: stream }
  }
}
