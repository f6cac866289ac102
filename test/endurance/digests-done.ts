/** As many as Node's pool has threads: https://nodejs.org/api/cli.html#uv_threadpool_sizesize */
const threads = 4

/**
 * Resolves when the digests that were asked for before are done. They are made on other threads, which no manual clock
 * waits for: on a busy machine hours of it could pass meanwhile.
 */
export async function digestsDone(): Promise<void> {
  await Promise.all(Array.from({ length: threads }, () => crypto.subtle.digest('SHA-256', new Uint8Array())))
}
