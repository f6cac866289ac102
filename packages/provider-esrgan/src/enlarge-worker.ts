import { parentPort } from 'node:worker_threads'
import { enlarge } from './enlarge/enlarge.ts'
import type { EnlargeOrder } from './enlarge/enlarge-order.ts'

// An unexpected error ends the thread. The pool then tries a new thread, whose WebAssembly memory is not damaged.
parentPort?.on('message', async (order: EnlargeOrder) => {
  const reply = await enlarge(order, (progress) => parentPort?.postMessage(progress, []))
  parentPort?.postMessage(reply, 'file' in reply ? [reply.file.buffer] : [])
})
