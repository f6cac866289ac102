/** A worker that does native work on a picture, as far as its pool knows, or ends in the middle of it. */
import { pbkdf2 } from 'node:crypto'
import process from 'node:process'
import { parentPort } from 'node:worker_threads'
import { inPicturePlace } from '@genmount/provider-kit/workers'

/** Work on one of the threads that also read files: 500,000 rounds take about half a second. */
const nativeWork = (rounds: number) =>
  new Promise<void>((resolve, reject) =>
    pbkdf2('a', 'b', rounds, 64, 'sha512', (error) => (error ? reject(error) : resolve())),
  )

/** Memory that all threads share: how many are at work at this moment, and how much they do. Without it the thread ends. */
parentPort?.on('message', async (atWork: Int32Array | undefined) => {
  const most = await inPicturePlace(async () => {
    if (!atWork) process.exit(3)
    const now = Atomics.add(atWork, 0, 1) + 1
    await nativeWork(atWork[1]!)
    Atomics.sub(atWork, 0, 1)
    return now
  })
  parentPort?.postMessage(most, [])
})
