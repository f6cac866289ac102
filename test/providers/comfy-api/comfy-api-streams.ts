import { PassThrough } from 'node:stream'
import type { VendorReply } from '../vendor-server.ts'

/** What the stream of a job begins with. */
interface JobState {
  readonly id: string
  readonly status: string
  readonly queue_position: number | null
  readonly progress: object | null
}

/** The streams of events of all jobs: `getJobEvents` with its `x-sse-events` in openapi-v2.yaml. */
export function comfyApiStreams() {
  /** The streams that are open, and the jobs that they show. */
  const streams = new Map<PassThrough, string>()

  function send(name: string, data: object, jobId?: string): void {
    for (const [stream, id] of streams)
      if (jobId === undefined || jobId === id) stream.write(textOf(name, data))
  }

  return {
    /** The answer to who asks for the events of a job. */
    open({ id, status, queue_position, progress }: JobState): VendorReply {
      const stream = new PassThrough()
      streams.set(stream, id)
      stream.once('close', () => streams.delete(stream))
      stream.write(textOf('status', { status, queue_position }))
      if (progress) stream.write(textOf('progress', progress))
      if (isOver(status)) stream.end()
      return { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }, body: stream }
    },
    /** Tells all who listen to a job that its status has changed. */
    changed({ id, status, queue_position }: JobState): void {
      send('status', { status, queue_position }, id)
      if (isOver(status)) for (const [stream, job] of streams) if (job === id) stream.end()
    },
    /** Sends an event to all streams. */
    send: (name: string, data: object) => send(name, data),
    /** Sends these bytes to all streams. */
    write: (bytes: string | Uint8Array) => streams.forEach((_id, stream) => void stream.write(bytes)),
    /** Breaks all streams. */
    cut: () => streams.forEach((_id, stream) => void stream.destroy()),
    /** How many streams are open. */
    count: () => streams.size,
  }
}

function textOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

const isOver = (status: string) => ['succeeded', 'canceled', 'failed', 'expired'].includes(status)
