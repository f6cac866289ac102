import { parentPort } from 'node:worker_threads'
import type { ConversionOrder } from './conversion/conversion-order.ts'
import { convertPicture } from './conversion/convert-picture.ts'

// An unexpected error ends the thread. The pool then tries a new thread.
parentPort?.on('message', async (order: ConversionOrder) => {
  const reply = await convertPicture(order)
  parentPort?.postMessage(reply, 'file' in reply ? [reply.file.buffer] : [])
})
