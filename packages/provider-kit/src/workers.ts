export { workerPool, type WorkerPool } from './pool/worker-pool.ts'
export { localTasks } from './tasks/local-tasks.ts'
export { checkPicture, UnusablePictureError } from './decoding/check-picture.ts'
export { inPicturePlace } from './decoding/in-picture-place.ts'

// Types that the declarations of the names above refer to. No provider imports them.
export type { FinishedReport, LocalTasks, LocalTasksOptions } from './tasks/local-tasks.ts'
export type { TellProgress } from './tasks/tell-progress.ts'
