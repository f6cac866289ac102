/** The number of threads in Node's pool: https://nodejs.org/api/cli.html#uv_threadpool_sizesize */
const threads = 4

/**
 * Resolves when all digests that were requested before are computed. They are computed on other threads, for
 * which a manual clock does not wait: on a busy machine hours of its time could pass meanwhile.
 */
export async function digestsDone(): Promise<void> {
  await Promise.all(Array.from({ length: threads }, () => crypto.subtle.digest('SHA-256', new Uint8Array())))
}
