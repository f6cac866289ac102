import { parentPort } from 'node:worker_threads'
import { render } from './render/render.ts'
import type { RenderOrder } from './render/render-order.ts'

// An unexpected error ends the thread. The pool then tries a new thread.
parentPort?.on('message', async (order: RenderOrder) => {
  const reply = await render(order, (progress, preview) =>
    parentPort?.postMessage(preview ? { progress, preview } : progress, []),
  )
  const moved = 'files' in reply ? reply.files.map(({ bytes }) => bytes.buffer) : []
  parentPort?.postMessage(reply, moved)
})
