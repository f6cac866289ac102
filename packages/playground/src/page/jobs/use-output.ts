import type { AnyModels, Client, Job } from '@genmount/client'
import { useEffect, useState } from 'preact/hooks'
import { type Output, outputOf } from './output.ts'

/** The state of an output that is being fetched. */
export interface LoadedOutput {
  readonly output: Output | undefined
  readonly error: unknown
}

const nothing: LoadedOutput = { output: undefined, error: undefined }

/**
 * The output of a job, if it has finished. It is fetched once `isWanted` is true.
 * @param fetched fetches it, or a small picture of it. It is the same function each time
 */
export function useOutput(
  client: Client<AnyModels>,
  job: Job | undefined,
  n: number,
  isWanted = true,
  fetched = outputOf,
): LoadedOutput {
  const [loaded, setLoaded] = useState(nothing)
  const isThere = isWanted && job !== undefined && n < job.data.length
  useEffect(() => {
    setLoaded(nothing)
    if (!isThere) return
    let isOver = false
    fetched(client, job, n).then(
      (output) => isOver || setLoaded({ output, error: undefined }),
      (error: unknown) => isOver || setLoaded({ output: undefined, error }),
    )
    return () => void (isOver = true)
  }, [client, job?.id, n, isThere])
  return loaded
}
