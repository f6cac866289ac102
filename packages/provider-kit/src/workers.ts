export { workerPool, type WorkerPool } from './pool/worker-pool.ts'
export type { TellProgress } from './tasks/tell-progress.ts'
export {
  type FinishedReport,
  localTasks,
  type LocalTasks,
  type LocalTasksOptions,
} from './tasks/local-tasks.ts'
export { checkPicture, UnusablePictureError } from './decoding/check-picture.ts'
export { inPicturePlace } from './decoding/in-picture-place.ts'
