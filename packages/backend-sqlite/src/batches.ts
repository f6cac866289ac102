export { batchBackend, type BatchBackendContext } from './batches/batch-backend.ts'
export { migrateSchema, newestVersion, versionIn } from './batches/schema.ts'
export type { Row, RunBatch, Statement, Value } from './batches/statement.ts'
