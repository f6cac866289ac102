import { openJobs, runNewJob } from './hand-written-runs.ts'
import { serveBare } from './serve-bare.ts'

serveBare({ createJob: runNewJob, openJobs })
