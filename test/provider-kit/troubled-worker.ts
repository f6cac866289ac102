import { parentPort } from 'node:worker_threads'

/** Ends as it is told, or replies with what it is told. */
parentPort?.on('message', async (order: string) => {
  if (order === 'throw') throw new Error('out of paint')
  if (order === 'exit') process.exit(3)
  if (order === 'work for ever') for (;;);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(order)
})
