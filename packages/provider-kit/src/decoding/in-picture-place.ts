import { setTimeout as delay } from 'node:timers/promises'
import { picturePlaces } from './picture-places.ts'

/** How long to wait before the next look for a free place, in milliseconds. Work on a picture takes 10 to 4000. */
const pauseMs = 5

/**
 * Does native work on a picture, such as decoding and encoding, when one of the process's places for such work is free.
 * There are two less than threads on which the runtime does native work and reads files (`UV_THREADPOOL_SIZE`, usually 4;
 * on Bun as many as cores), and at least one. So pictures never keep another owner from reading a file. The places are
 * shared by all threads of the pools of `workerPool`. A thread that ends gives its place back.
 * @param work must not call `inPicturePlace` itself
 * @returns what `work` returns
 * @example const { data } = await inPicturePlace(() => sharp(file).raw().toBuffer({ resolveWithObject: true }))
 */
export async function inPicturePlace<T>(work: () => Promise<T>): Promise<T> {
  const { holders, thread } = picturePlaces
  const take = () => holders.findIndex((_, place) => Atomics.compareExchange(holders, place, 0, thread) === 0)
  let place = take()
  while (place < 0) {
    await delay(pauseMs)
    place = take()
  }
  try {
    return await work()
  } finally {
    Atomics.store(holders, place, 0)
  }
}
