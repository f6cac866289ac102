export { workerPool, type WorkerPool } from './pool/worker-pool.ts'
export {
  type FinishedReport,
  localTasks,
  type LocalTasks,
  type LocalTasksOptions,
} from './tasks/local-tasks.ts'
