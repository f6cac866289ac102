import type { Processes } from './storage/backend.ts'
import type { Ending } from './ending.ts'
import type { FileStore } from './storage/file-store.ts'
import type { JobSignals } from './storage/job-signals.ts'
import type { Scheduler } from './storage/scheduler.ts'
import type { PluginHost } from './plugin/plugin-host.ts'

type HostPart = 'clock' | 'closing' | 'files' | 'givingUp' | 'jobs' | 'log' | 'providers' | 'sureNow'

/** The parts of a service with which its code works. Each function says which of them it takes. */
export interface ServiceParts extends Pick<PluginHost, HostPart> {
  /** Takes bytes that `files` can't store at the moment. */
  readonly spool: FileStore | undefined
  readonly scheduler: Scheduler
  readonly signals: JobSignals
  /** Absent when the backend does not know whether a process has ended. */
  readonly processes: Processes | undefined
  /** Ends when the service stops waiting for the job store. */
  readonly closedStore: Ending
}
