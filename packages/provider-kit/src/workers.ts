export { workerPool, type WorkerPool } from './pool/worker-pool.ts'
export { localTasks } from './tasks/local-tasks.ts'
export { checkPicture, UnusablePictureError } from './decoding/check-picture.ts'
export { inPicturePlace } from './decoding/in-picture-place.ts'
