/** Tells whoever watches a job that its record has changed. A hint without content: read the store to know. */
export interface JobSignals {
  publish(jobId: string): void

  /** Calls `wake`, which never throws, after each publish for the job. @returns a function that ends it */
  subscribe(jobId: string, wake: () => void): () => void
}
