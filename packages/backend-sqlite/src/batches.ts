export { batchBackend, type BatchBackendContext } from './batches/batch-backend.ts'
export { migrateSchema, newestVersion, versionIn } from './batches/schema.ts'
export type { BatchStatement, RunBatch } from './batches/batch.ts'
export type { Parameter, Row } from './sqlite/statement.ts'
