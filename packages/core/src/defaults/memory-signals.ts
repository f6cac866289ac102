import type { JobNews } from '../contracts/job-news.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { Job } from '../contracts/job.ts'
import { memoryChannel } from './memory-channel.ts'

/** Signals and news within this process. They call the subscribers in slices of 50. */
export function memorySignals(): Required<Omit<JobSignals, 'close'>> {
  return { ...memoryChannel<Job | undefined>(), news: memoryChannel<JobNews>() }
}
