import { isFinished, type Job, type JobNews, toBase64 } from '@genmount/core'
import { type OwnedExchange, PulledText } from '@genmount/v1-interface'
import type { ImageOrder } from '../input/image-inputs.ts'
import { waitForJobs } from '../waiting/wait-for-jobs.ts'
import { completedImageEvents, partialImageEvent } from '../wire/images-answer.ts'
import { failureOf, stillProcessing } from '../wire/openai-error.ts'
import type { ImageServing } from './image-serving.ts'

/** As the events of /v1: Bun's server closes a connection that was silent for 10 seconds. */
const heartbeatMs = 4000

/** The events of one request for pictures: previews, finished pictures, or an error at the end. */
export class ImageStream extends PulledText {
  #serving: ImageServing
  #exchange: OwnedExchange
  #order: ImageOrder
  #text = ''
  #previews = 0
  #saidAt = 0
  #lost: () => void
  #leave = () => {}

  /** @param lost called when the client leaves before the end */
  constructor(serving: ImageServing, exchange: OwnedExchange, order: ImageOrder, lost: () => void) {
    super()
    this.#lost = lost
    this.#serving = serving
    this.#exchange = exchange
    this.#order = order
  }

  /** Waits for the jobs, and sends their events. Never rejects. */
  async run(jobs: readonly Job[]): Promise<void> {
    const { host, options, deliver, kind } = this.#serving
    const exchange = this.#exchange
    try {
      const latest = await waitForJobs(host.service, jobs, {
        owner: exchange.owner,
        waitMs: options.waitMs,
        onLeave: (leave) => {
          this.#leave = leave
          return () => {}
        },
        onNews: (_, news) => this.#preview(news),
        onLook: () => this.#look(),
      })
      const completed = latest.filter(({ phase }) => phase === 'completed')
      for (const job of completed) {
        const delivery = await deliver(exchange, [job], 'b64_json')
        for (const event of completedImageEvents(
          kind,
          host.service.clock.now(),
          job,
          delivery,
          this.#order.echo,
        ))
          this.#say(event)
      }
      if (completed.length === 0) this.#fail(latest)
    } catch (cause) {
      host.service.log.error('A stream of pictures broke off.', { cause })
      this.#say({ type: 'error', error: internalError })
    }
    this.#end()
  }

  override next(): Promise<string | undefined> {
    this.#saidAt = this.#serving.host.service.clock.uptime()
    return super.next()
  }

  cancel(): void {
    if (!this.isOver) this.#lost()
    this.#leave()
    this.#text = ''
    this.#end()
  }

  protected takePiece(): string {
    const piece = this.#text
    this.#text = ''
    return piece
  }

  #preview({ preview }: JobNews): void {
    if (!preview || this.#previews >= this.#order.previews) return
    const { bytes, contentType } = preview
    const partialImage = { base64: toBase64(bytes), contentType, at: this.#serving.host.service.clock.now() }
    this.#say(partialImageEvent(this.#serving.kind, this.#previews++, partialImage, this.#order.echo))
  }

  #look(): void {
    if (this.#serving.host.service.clock.uptime() - this.#saidAt >= heartbeatMs)
      this.giveNow(': still here\n\n')
  }

  #fail(jobs: readonly Job[]): void {
    const failed = jobs.find(isFinished)
    const { error } = failed ? failureOf(failed) : stillProcessing(jobs, this.#exchange.baseUrl)
    this.#say({ type: 'error', error })
  }

  #say(event: { readonly type: string; readonly [field: string]: unknown }): void {
    if (this.isOver) return
    this.#text += `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    this.wake()
  }

  #end(): void {
    this.isOver = true
    this.wake()
  }
}

const internalError = {
  message: 'Something went wrong in this service.',
  type: 'server_error',
  param: null,
  code: 'internal_error',
}
