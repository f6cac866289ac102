import { parentPort } from 'node:worker_threads'
import { enlarge } from './enlarge/enlarge.ts'
import type { EnlargeOrder } from './enlarge/enlarge-order.ts'

// What goes wrong unforeseen ends the thread: the pool tries a fresh one, whose WebAssembly memory is whole.
parentPort?.on('message', async (order: EnlargeOrder) => {
  const reply = await enlarge(order)
  parentPort?.postMessage(reply, 'file' in reply ? [reply.file.buffer] : [])
})
